import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** Serialization with its private call-backs, objects made without their constructor, and replacement. */
public class Serialization {
    static StringBuilder log = new StringBuilder();

    static class Parent {
        int parentValue = 7;

        Parent() {
            log.append("parent ");
        }
    }

    static class Child extends Parent implements Serializable {
        private static final long serialVersionUID = 1;
        final String name;
        transient int length;
        final List<Child> children = new ArrayList<>();
        Child self = this;

        Child(String name) {
            this.name = name;
            length = name.length();
            parentValue = 99;
        }

        private void writeObject(ObjectOutputStream out) throws IOException {
            log.append("write-").append(name).append(' ');
            out.defaultWriteObject();
            out.writeInt(length * 2);
        }

        private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
            in.defaultReadObject();
            length = in.readInt();
            log.append("read-").append(name).append(' ');
            if (name.equals("bad")) {
                throw new InvalidObjectException("bad name");
            }
        }
    }

    static class Single implements Serializable {
        private static final long serialVersionUID = 1;
        static final Single INSTANCE = new Single();

        private Object readResolve() {
            return INSTANCE;
        }
    }

    public static class External implements Externalizable {
        private long value;

        public External() {
            log.append("external ");
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeLong(value + 1);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readLong();
        }
    }

    record Point(int x, int y) implements Serializable {
        Point {
            log.append("point ");
        }
    }

    enum Colour { RED, GREEN }

    static Object copy(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    public static void main(String[] args) throws Exception {
        Child root = new Child("root");
        root.children.add(new Child("leaf"));
        root.children.add(root);
        Child copied = (Child) copy(root);
        System.out.println(copied.name + copied.length + copied.parentValue + (copied.self == copied)
                + (copied.children.get(1) == copied) + copied.children.get(0).length);
        System.out.println(copy(Single.INSTANCE) == Single.INSTANCE);
        External external = new External();
        external.value = 41;
        System.out.println(((External) copy(external)).value);
        System.out.println(copy(new Point(1, 2)) + " " + (copy(Colour.GREEN) == Colour.GREEN));
        try {
            copy(new Child("bad"));
        } catch (InvalidObjectException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(log.toString().trim());
    }
}
