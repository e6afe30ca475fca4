/** Takes secrets out of what the client traces of its messages. */
const secretField = /("(?:password|passphrase)"\s*:\s*)"(?:[^"\\]|\\.)*"/g;
/** An opened object may be a Secret whose values a person revealed. */
const openedText = /("text"\s*:\s*)"(?:[^"\\]|\\.)*"/g;

/** A user and password that were written into an endpoint by mistake. */
const userInfo = /(\/\/)[^/\s"@]+@/g;

export function redact(trace: string): string {
  const clean = trace.replace(secretField, '$1"(not traced)"').replace(userInfo, '$1(not traced)@');
  return clean.includes('"masked"') ? clean.replace(openedText, '$1"(not traced)"') : clean;
}
