import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.Context;
import org.apache.hadoop.hive.ql.parse.ASTNode;
import org.apache.hadoop.hive.ql.parse.ParseDriver;

/** Does Hive's parser take a statement? A JSON string a line in; {"ok": true} or {"ok": false, "error": ...} a line out; with the argument "tree" Hive's tree, too. */
public class ParseOracle {
  public static void main(String[] args) throws Exception {
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    System.setOut(System.err);
    boolean tree = args.length > 0 && args[0].equals("tree");
    Gson gson = new GsonBuilder().disableHtmlEscaping().create();
    ParseDriver driver = new ParseDriver();
    HiveConf conf = new HiveConf(ParseOracle.class);
    for (String pair : System.getProperty("oracle.set", "").split(";")) {
      int eq = pair.indexOf('=');
      if (eq > 0) conf.set(pair.substring(0, eq), pair.substring(eq + 1));
    }
    Method parse; // with the settings, on which quoted names depend
    Object settings;
    try {
      parse = ParseDriver.class.getMethod("parse", String.class, Configuration.class);
      settings = conf;
    } catch (NoSuchMethodException e) {
      parse = ParseDriver.class.getMethod("parse", String.class, Context.class);
      conf.set("_hive.hdfs.session.path", System.getProperty("java.io.tmpdir")); // a session would set them; nothing is written
      conf.set("_hive.local.session.path", System.getProperty("java.io.tmpdir"));
      settings = new Context(conf);
    }
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      JsonObject answer = new JsonObject();
      try {
        Object result = parse.invoke(driver, gson.fromJson(line, String.class), settings);
        answer.addProperty("ok", true);
        if (tree) answer.addProperty("tree", (result instanceof ASTNode ? (ASTNode) result : (ASTNode) result.getClass().getMethod("getTree").invoke(result)).toStringTree());
      } catch (InvocationTargetException e) {
        answer.addProperty("ok", false);
        answer.addProperty("error", String.valueOf(e.getCause()));
      }
      out.println(gson.toJson(answer));
      if (!in.ready()) out.flush(); // somebody may wait for this answer before the next question
    }
    out.flush();
    System.exit(0);
  }
}
