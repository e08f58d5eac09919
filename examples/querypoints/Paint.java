import java.util.ArrayList;
import java.util.List;

/** A painting program without its window: sliders make a colour, strokes are painted in it. */
public class Paint {
    record Color(int red, int green, int blue) {}

    static class Slider {
        int value;
    }

    /** What is being drawn takes the colour that was mixed last. */
    static class Maker {
        private Color color = new Color(0, 0, 0);

        void setColor(Color color) {
            this.color = color;
        }

        Stroke press(int from) {
            Stroke stroke = new Stroke(from);
            stroke.setColor(color);
            return stroke;
        }
    }

    static class Stroke {
        private final int from;
        private Color color;

        Stroke(int from) {
            this.from = from;
        }

        void setColor(Color color) {
            this.color = color;
        }

        void paint(Brush brush) {
            brush.setColor(color);
            brush.drawLine(from, from + 5);
        }
    }

    static class Brush {
        private Color foreground;
        private final StringBuilder picture = new StringBuilder();

        void setColor(Color color) {
            foreground = color;
        }

        void drawLine(int from, int to) {
            picture.append(from).append('-').append(to).append(' ').append(foreground).append('\n');
        }
    }

    static class Window {
        final Slider red = new Slider();
        final Slider green = new Slider();
        final Slider blue = new Slider();
        final Maker maker = new Maker();
        final List<Stroke> strokes = new ArrayList<>();

        void move(Slider slider, int value) {
            slider.value = value;
            stateChanged();
        }

        void stateChanged() {
            maker.setColor(new Color(
                red.value,
                green.value, green.value));
            repaint();
        }

        void draw(int from) {
            strokes.add(maker.press(from));
            repaint();
        }

        String repaint() {
            Brush brush = new Brush();
            for (Stroke stroke : strokes) {
                stroke.paint(brush);
            }
            return brush.picture.toString();
        }
    }

    public static void main(String[] arguments) {
        Window window = new Window();
        window.move(window.red, 255);
        window.draw(1);
        window.move(window.red, 0);
        window.move(window.blue, 255);
        window.draw(2);
        window.move(window.green, 99);
        window.draw(3);
        System.out.print(window.repaint());
    }
}
