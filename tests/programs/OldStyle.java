// release: 8
import java.util.Enumeration;
import java.util.Hashtable;
import java.util.StringTokenizer;
import java.util.Vector;

/** A program in the style of the nineties, compiled for an old release only. */
public class OldStyle {
    static class Employee {
        private String name;
        private Vector skills = new Vector();
        private static int nextId = 1;
        private final int id = nextId++;

        Employee(String line) {
            StringTokenizer tokens = new StringTokenizer(line, ":, ");
            name = tokens.nextToken();
            while (tokens.hasMoreTokens()) {
                skills.addElement(tokens.nextToken());
            }
        }

        boolean has(String skill) {
            for (Enumeration e = skills.elements(); e.hasMoreElements();) {
                if (((String) e.nextElement()).equals(skill)) {
                    return true;
                }
            }
            return false;
        }
    }

    static StringBuffer report(Hashtable staff, String skill) {
        StringBuffer out = new StringBuffer(skill).append(':');
        for (int i = 1; i <= staff.size(); i++) {
            Employee employee = (Employee) staff.get(new Integer(i));
            if (employee.has(skill)) {
                out.append(' ').append(employee.name);
            }
        }
        return out;
    }

    public static void main(String[] args) {
        String[] lines = {"ann: java, sql", "bob: c", "cy: sql, c, java"};
        Hashtable staff = new Hashtable();
        for (int i = 0; i < lines.length; i++) {
            Employee employee = new Employee(lines[i]);
            staff.put(new Integer(employee.id), employee);
        }
        System.out.println(report(staff, "java"));
        System.out.println(report(staff, "c"));
        System.out.println(report(staff, "ada"));
        try {
            staff.put(new Integer(9), null);
        } catch (NullPointerException e) {
            System.out.println("no nulls");
        }
        try {
            new Employee("");
        } catch (java.util.NoSuchElementException e) {
            System.out.println("no name " + Employee.nextId);
        }
    }
}
