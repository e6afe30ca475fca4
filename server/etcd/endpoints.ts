/** Reads endpoints as people write them: `host:port`, `http://host`, `https://[::1]:2379`, comma lists. */
import { isIP } from 'node:net';
import { ConnectionConfigError } from './configError';

export interface Endpoint {
  /** `host:port`, IPv6 in brackets: the endpoint's name everywhere in this project. */
  readonly name: string;
  /** gRPC target. */
  readonly target: string;
  readonly loopback: boolean;
}

export interface EndpointSet {
  readonly endpoints: readonly Endpoint[];
  /** True for https, false for http, undefined when no endpoint names a scheme. */
  readonly secure: boolean | undefined;
}

/** Named in every target: a host called `unix` would else be read as a scheme. */
const targetScheme = 'dns:';

const defaultPort = 2379;

interface Parsed {
  readonly scheme: string | undefined;
  readonly endpoint: Endpoint;
}

/**
 * Duplicates are removed, order is kept, the port is 2379 when absent. Throws a
 * `ConnectionConfigError` whose text never repeats user info.
 */
export function parseEndpoints(texts: readonly string[]): EndpointSet {
  const parts = texts.flatMap((text) => text.split(',')).map((part) => part.trim());
  const parsed = parts.filter((part) => part !== '').map(parseOne);
  if (parsed.length === 0) throw refused('No etcd endpoint is given: name one as host:port.');
  const schemes = new Set(parsed.map((one) => one.scheme).filter((one) => one !== undefined));
  if (schemes.size > 1) {
    throw refused('The endpoints mix http:// and https://: give all of them the same scheme.');
  }
  const byName = new Map(parsed.map(({ endpoint }) => [endpoint.name, endpoint]));
  return {
    endpoints: [...byName.values()],
    secure: schemes.size === 0 ? undefined : schemes.has('https'),
  };
}

function refused(message: string): ConnectionConfigError {
  return new ConnectionConfigError('endpoints', message);
}

function parseOne(text: string): Parsed {
  if (text.includes('@')) {
    throw refused(
      'An endpoint contains user info (before @): give user and password separately, never in the address.',
    );
  }
  const [, scheme, rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(text) ?? [];
  const checkedScheme = checkScheme(scheme?.toLowerCase(), text);
  const authority = rest.endsWith('/') ? rest.slice(0, -1) : rest;
  if (/[/?#\\]/.test(authority)) {
    throw refused(`The endpoint "${text}" has a path: etcd's gRPC takes only host:port.`);
  }
  return { scheme: checkedScheme, endpoint: parseAuthority(authority, text) };
}

function checkScheme(scheme: string | undefined, text: string): string | undefined {
  if (scheme === undefined || scheme === 'http' || scheme === 'https') return scheme;
  if (scheme === 'unix' || scheme === 'unixs') {
    throw refused(
      `The endpoint "${text}" is a unix socket, which is not supported: use etcd's TCP address.`,
    );
  }
  throw refused(`The endpoint "${text}" has the unknown scheme "${scheme}": use http or https.`);
}

function parseAuthority(authority: string, text: string): Endpoint {
  if (isIP(authority) === 6 || withPort(authority) !== undefined) {
    throw refused(`The IPv6 address "${text}" needs brackets: ${bracketed(authority)}.`);
  }
  const [, inBrackets, plain = '', portText] =
    /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(authority) ?? [];
  const host = (inBrackets ?? plain).toLowerCase();
  const valid = inBrackets === undefined ? isHostName(host) : isIP(host) === 6;
  if (!valid) throw refused(`The endpoint "${text}" has no valid host: write it as host:port.`);
  const port = portText === undefined ? defaultPort : parsePort(portText, text);
  const name = `${inBrackets === undefined ? host : `[${host}]`}:${port}`;
  return { name, target: `${targetScheme}${name}`, loopback: isLoopback(host) };
}

/** An address whose last group looks like a port, such as `::1:2379`, was most likely meant so. */
function bracketed(address: string): string {
  return withPort(address) ?? `[${address}]:${defaultPort}`;
}

function withPort(address: string): string | undefined {
  const [, host = '', port = ''] = /^(.*):(\d{4,5})$/.exec(address) ?? [];
  return isIP(host) === 6 ? `[${host}]:${port}` : undefined;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.[0-9.]+$/.test(host);
}

function isHostName(host: string): boolean {
  return host.length <= 253 && /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?$/.test(host);
}

function parsePort(text: string, endpoint: string): number {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65535) {
    throw refused(`The endpoint "${endpoint}" has no valid port: use 1 to 65535.`);
  }
  return port;
}
