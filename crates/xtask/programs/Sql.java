import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Drives H2: tables, an index, inserts, updates and queries with joins, in memory. */
public class Sql {
    public static void main(String[] args) throws SQLException {
        int orders = Integer.parseInt(args[0]);
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:bench")) {
            fill(connection, orders);
            System.out.println(query(connection));
        }
    }

    private static void fill(Connection connection, int orders) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("create table customer(id int primary key, name varchar(40), city varchar(20))");
            statement.execute("create table orders(id int primary key, customer int, placed date, amount decimal(10, 2))");
            statement.execute("create index by_customer on orders(customer)");
        }
        int customers = orders / 10;
        try (PreparedStatement insert = connection.prepareStatement("insert into customer values(?, ?, ?)")) {
            for (int i = 0; i < customers; i++) {
                insert.setInt(1, i);
                insert.setString(2, "customer " + i * 7919 % customers);
                insert.setString(3, "city " + i % 97);
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = connection.prepareStatement(
                "insert into orders values(?, ?, dateadd(day, ?, date '2020-01-01'), ?)")) {
            for (int i = 0; i < orders; i++) {
                insert.setInt(1, i);
                insert.setInt(2, (int) (i * 104729L % customers));
                insert.setInt(3, i % 700);
                insert.setDouble(4, i % 1000 / 4.0);
                insert.executeUpdate();
            }
        }
        try (Statement statement = connection.createStatement()) {
            statement.executeUpdate("update orders set amount = amount * 1.1 where customer in "
                    + "(select id from customer where city like 'city 1%')");
            statement.executeUpdate("delete from orders where placed < date '2020-02-01'");
        }
    }

    private static String query(Connection connection) throws SQLException {
        StringBuilder answer = new StringBuilder();
        try (Statement statement = connection.createStatement()) {
            for (int month = 1; month <= 12; month++) {
                try (ResultSet rows = statement.executeQuery("select c.city, count(*), sum(o.amount) from orders o "
                        + "join customer c on c.id = o.customer where month(o.placed) = " + month
                        + " group by c.city having count(*) > 3 order by 3 desc, 1 limit 5")) {
                    while (rows.next()) {
                        answer.append(rows.getString(1)).append(' ').append(rows.getBigDecimal(3)).append(';');
                    }
                }
            }
        }
        return answer.toString();
    }
}
