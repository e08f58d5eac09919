import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.net.URI;
import java.nio.file.Path;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.sax.SAXResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.MimeConstants;

/** Drives FOP: a generated report of paragraphs, lists and tables becomes a PDF. */
public class Render {
    public static void main(String[] args) throws Exception {
        int chapters = Integer.parseInt(args[0]);
        URI base = Path.of("").toUri();
        Fop fop = FopFactory.newInstance(base).newFop(MimeConstants.MIME_PDF, new ByteArrayOutputStream());
        TransformerFactory.newInstance().newTransformer().transform(
                new StreamSource(new StringReader(report(chapters))), new SAXResult(fop.getDefaultHandler()));
        System.out.println(fop.getResults().getPageCount() + " pages");
    }

    private static String report(int chapters) {
        StringBuilder report = new StringBuilder("""
                <fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format"><fo:layout-master-set>
                <fo:simple-page-master master-name="page" page-height="297mm" page-width="210mm" margin="20mm">
                <fo:region-body margin-bottom="10mm"/><fo:region-after extent="8mm"/></fo:simple-page-master>
                </fo:layout-master-set><fo:page-sequence master-reference="page">
                <fo:static-content flow-name="xsl-region-after"><fo:block text-align="end"><fo:page-number/></fo:block>
                </fo:static-content><fo:flow flow-name="xsl-region-body" font-family="Helvetica" font-size="10pt">
                """);
        for (int chapter = 1; chapter <= chapters; chapter++) {
            report.append("<fo:block font-size=\"16pt\" font-weight=\"bold\" space-before=\"8mm\">Chapter ")
                    .append(chapter).append("</fo:block>");
            for (int paragraph = 0; paragraph < 6; paragraph++) {
                report.append("<fo:block text-align=\"justify\" hyphenate=\"false\" space-before=\"2mm\">");
                for (int word = 0; word < 120; word++) {
                    report.append("word").append((chapter * 31 + paragraph * 17 + word * word) % 1000).append(' ');
                }
                report.append("</fo:block>");
            }
            table(report, chapter);
        }
        return report.append("</fo:flow></fo:page-sequence></fo:root>").toString();
    }

    private static void table(StringBuilder report, int chapter) {
        report.append("<fo:table table-layout=\"fixed\" width=\"100%\" border=\"0.5pt solid black\"><fo:table-body>");
        for (int row = 0; row < 12; row++) {
            report.append("<fo:table-row>");
            for (int column = 0; column < 4; column++) {
                report.append("<fo:table-cell border=\"0.5pt solid black\" padding=\"1mm\"><fo:block color=\"#204060\">")
                        .append(chapter * row + column).append("</fo:block></fo:table-cell>");
            }
            report.append("</fo:table-row>");
        }
        report.append("</fo:table-body></fo:table>");
    }
}
