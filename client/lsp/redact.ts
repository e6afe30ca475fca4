/** Takes secrets out of what the client traces of its messages, which may be megabytes long. */
const secretField = /"(?:password|passphrase)"\s*:\s*"/g;
/**
 * An opened object, a document, the line under the pointer and what was pasted may hold a Secret's
 * values or a bearer token; an answer says what stands in them again. A quote must follow, so that
 * numbers such as a position's line stay.
 */
const wholeText = /"(?:text|line|value|markdown|token|json)"\s*:\s*"/g;

/** Where a user and password may have been written by mistake, of whatever characters. */
const endpointField = /"(?:endpoints"\s*:\s*\[|endpoint"\s*:)\s*(?=")/g;

/** Text that may be an address; in it everything before the last `@` goes. */
const word = /[^\s"]+/g;
/** A document's address, in which an `@` is part of a file's name. */
const documentScheme = /^(?:file|vscode-[a-z]+|untitled|etcd-list):/i;

const notTraced = '(not traced)';

export function redact(trace: string): string {
  const clean = withoutTexts(withoutTexts(trace, secretField), wholeText);
  return withoutUsers(clean).replace(word, withoutUser);
}

/** Of a word with a scheme, or with a colon before its `@`. */
function withoutUser(text: string): string {
  const at = text.lastIndexOf('@');
  if (at < 0 || documentScheme.test(text)) return text;
  const scheme = text.indexOf('//');
  if (scheme >= 0 && scheme < at) return text.slice(0, scheme + 2) + notTraced + text.slice(at);
  const colon = text.indexOf(':');
  return colon >= 0 && colon < at ? notTraced + text.slice(at) : text;
}

/** The same of whole endpoints, whose passwords may hold spaces and quotes. */
function withoutUsers(trace: string): string {
  const kept: string[] = [];
  let from = 0;
  for (const match of trace.matchAll(endpointField)) {
    let start = match.index + match[0].length;
    while (trace[start] === '"') {
      const end = endOfString(trace, start + 1);
      const at = trace.slice(start + 1, end).lastIndexOf('@');
      if (at >= 0) {
        kept.push(trace.slice(from, start + 1), notTraced);
        from = start + 1 + at;
      }
      start = nextOfList(trace, end + 1);
    }
  }
  return [...kept, trace.slice(from)].join('');
}

/** Past the comma behind a list's string. */
function nextOfList(trace: string, at: number): number {
  const comma = /\s*,\s*/y;
  comma.lastIndex = at;
  return comma.test(trace) ? comma.lastIndex : trace.length;
}

/** `begin` ends with the quote that opens a JSON string; the string's content is taken out. */
function withoutTexts(trace: string, begin: RegExp): string {
  const kept: string[] = [];
  let from = 0;
  for (const match of trace.matchAll(begin)) {
    const start = match.index + match[0].length;
    // A match inside of a string that was taken out is part of it.
    if (start < from) continue;
    kept.push(trace.slice(from, start), notTraced);
    from = endOfString(trace, start);
  }
  return [...kept, trace.slice(from)].join('');
}

/** Where the closing quote stands; the end of the text when there is none. */
function endOfString(trace: string, start: number): number {
  for (let at = start; ; at += 1) {
    const quote = trace.indexOf('"', at);
    if (quote < 0) return trace.length;
    let backslashes = 0;
    while (quote - backslashes > start && trace[quote - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return quote;
    at = quote;
  }
}
