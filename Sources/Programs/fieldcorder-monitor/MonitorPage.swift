/// The page that a browser shows: all of it is here, and nothing is fetched from elsewhere.
enum MonitorPage {
  /// What the page may do: what the server itself sends, and its own script.
  static let policy: StaticString =
    "default-src 'none'; img-src 'self'; media-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; frame-ancestors 'none'"

  static let text: StaticString = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>fieldcorder</title>
    <p>later
    </html>
    """
}
