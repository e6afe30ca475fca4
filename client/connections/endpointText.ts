/** What is checked of endpoints while they are typed; the language server has the last word. */
const endpoint = /^(?:https?:\/\/)?(?:\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(?::(\d{1,5}))?\/?$/i;

export function splitEndpoints(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** A sentence about the first thing that cannot be an endpoint; undefined when all may be. */
export function endpointsProblem(text: string): string | undefined {
  const parts = splitEndpoints(text);
  if (parts.length === 0) return 'Give at least one endpoint as host:port, such as 127.0.0.1:2379.';
  for (const part of parts) {
    if (part.includes('@')) return 'Leave user and password out: VS Code asks for them.';
    const match = endpoint.exec(part);
    if (!match) return `"${part}" is no endpoint: write it as host:port or https://host:port.`;
    const port = Number(match[1] ?? 2379);
    if (port < 1 || port > 65_535) return `"${part}" has no valid port: use 1 to 65535.`;
  }
  return undefined;
}

export function nameProblem(text: string, taken: readonly string[]): string | undefined {
  const name = text.trim();
  if (name === '') return 'Give the connection a name.';
  if (name.length > 60) return 'Use at most 60 characters.';
  return taken.includes(name) ? `There is a connection "${name}" already.` : undefined;
}

/** The first endpoint's host, made unlike the names that are taken. */
export function suggestName(text: string, taken: readonly string[]): string {
  const [first = 'etcd'] = splitEndpoints(text);
  const host = first.replace(/^https?:\/\//i, '').replace(/(?::\d+)?\/?$/, '');
  const base = host === '127.0.0.1' || host === '[::1]' ? 'localhost' : host;
  const isFree = (name: string): boolean => !taken.includes(name);
  if (isFree(base)) return base;
  const numbers = Array.from({ length: taken.length + 1 }, (_, index) => index + 2);
  return numbers.map((number) => `${base}-${number}`).find(isFree) ?? base;
}
