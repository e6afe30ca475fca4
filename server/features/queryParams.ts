import type { CompareParams } from '../protocol/compare';
import type {
  CommandsParams,
  ConnectParams,
  DecodeTokenParams,
  EncodeTokenParams,
  HoverPlace,
  HoverTokenParams,
  ListParams,
  ListQuery,
  OpenObjectParams,
  Taken,
} from '../protocol/model';
import type { ExplainParams } from '../protocol/explain';
import type { ConnectionSetting } from '../protocol/names';
import type { QueryPlace } from '../protocol/queryFiles';
import { Params } from './params';

/** Longest text in which a token is looked for. */
const LONGEST_PASTE = 32 * 1024 * 1024;
const MOST_ENDPOINTS = 100;
/** LSP's largest `uinteger`. */
const LARGEST_UINTEGER = 2 ** 31 - 1;
/** A resource may be written as a prefix of keys. */
const LONGEST_NAME = 8192;

export function readQuery(value: unknown): ListQuery {
  const query = new Params(value, 'query');
  return {
    resource: query.text('resource', LONGEST_NAME),
    namespace: query.text('namespace', LONGEST_NAME),
    labelSelector: query.text('labelSelector'),
    fieldSelector: query.text('fieldSelector'),
    limit: query.text('limit', 1000),
    resourceVersion: query.text('resourceVersion', 1000),
    resourceVersionMatch: query.oneOf('resourceVersionMatch', ['', 'Exact', 'NotOlderThan']),
    continueToken: query.text('continueToken'),
    readMode: query.oneOf('readMode', ['auto', 'pages', 'stream']),
    skipUnreadable: query.flag('skipUnreadable'),
    ...(query.has('serveFrom') ? { serveFrom: query.oneOf('serveFrom', ['watchCache']) } : {}),
  };
}

export function readExplainParams(value: unknown): ExplainParams {
  const params = new Params(value);
  const given = params.object('given');
  return {
    query: readQuery(params.object('query').all),
    follow: params.flag('follow'),
    measure: params.flag('measure'),
    given: {
      keys: given.text('keys', 1000),
      matchRate: given.text('matchRate', 1000),
      objectSize: given.text('objectSize', 1000),
      clustered: given.flag('clustered'),
    },
  };
}

export function readCommandsParams(value: unknown): CommandsParams {
  return { ...readQuery(value), follow: new Params(value).optionalFlag('follow') };
}

export function readCompareParams(value: unknown): CompareParams {
  const params = new Params(value);
  const query = readQuery(params.object('query').all);
  return { query, toTheEnd: params.flag('toTheEnd') };
}

export function readDocumentParams(value: unknown): { uri: string } {
  return { uri: new Params(value).text('uri') };
}

export function readQueryPlace(value: unknown): QueryPlace {
  const params = new Params(value);
  return {
    uri: params.text('uri'),
    version: params.whole('version', -LARGEST_UINTEGER, LARGEST_UINTEGER),
    index: params.whole('index', 0, LARGEST_UINTEGER),
  };
}

export function readListParams(value: unknown): ListParams {
  const params = new Params(value);
  return {
    listId: params.text('listId', 200),
    query: readQuery(params.object('query').all),
    follow: params.flag('follow'),
    confirmed: params.flag('confirmed'),
    measured: params.optionalFlag('measured'),
    acknowledged: params.optionalFlag('acknowledged'),
    silent: params.optionalFlag('silent'),
  };
}

/** Undefined for what is no such notification: there is nobody to tell. */
export function readTaken(value: unknown): Taken | undefined {
  try {
    const params = new Params(value);
    const seq = params.whole('seq', 0, Number.MAX_SAFE_INTEGER);
    return { listId: params.text('listId', 200), seq };
  } catch {
    return undefined;
  }
}

export function readConnectParams(value: unknown): ConnectParams {
  const params = new Params(value);
  const password = params.optionalText('password');
  const passphrase = params.optionalText('passphrase');
  return {
    connection: readSetting(params.object('connection')),
    ...(password === undefined ? {} : { password }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function readSetting(setting: Params): ConnectionSetting {
  const root = setting.optionalText('root');
  const user = setting.optionalText('user');
  return {
    name: setting.text('name', 200),
    endpoints: setting.texts('endpoints', MOST_ENDPOINTS),
    serializable: setting.optionalFlag('serializable'),
    ...(root === undefined ? {} : { root }),
    ...(user === undefined ? {} : { user }),
    ...(setting.has('tls') ? { tls: readTls(setting.object('tls')) } : {}),
  };
}

function readTls(tls: Params): NonNullable<ConnectionSetting['tls']> {
  const texts = (['ca', 'cert', 'key', 'serverName'] as const).flatMap((name) => {
    const text = tls.optionalText(name);
    return text === undefined || text === '' ? [] : [[name, text] as const];
  });
  return { ...Object.fromEntries(texts), skipVerify: tls.optionalFlag('skipVerify') };
}

export function readDemoParams(value: unknown): { pods: number } {
  return { pods: new Params(value).whole('pods', 1, 1_000_000) };
}

export function readGateParams(value: unknown): { on: boolean } {
  return { on: new Params(value).flag('on') };
}

export function readOpenParams(value: unknown): OpenObjectParams {
  const params = new Params(value);
  return {
    key: params.text('key', 8192),
    revision: params.text('revision', 20),
    resource: params.text('resource', LONGEST_NAME),
    reveal: params.flag('reveal'),
    ...(params.has('connectionNumber')
      ? { connectionNumber: params.whole('connectionNumber', 0, Number.MAX_SAFE_INTEGER) }
      : {}),
  };
}

export function readDecodeParams(value: unknown): DecodeTokenParams {
  const params = new Params(value);
  return {
    text: params.text('text', LONGEST_PASTE),
    resource: params.text('resource', LONGEST_NAME),
    namespace: params.text('namespace', LONGEST_NAME),
    askEtcd: params.flag('askEtcd'),
  };
}

export function readEncodeParams(value: unknown): EncodeTokenParams {
  const params = new Params(value);
  return {
    version: params.text('version', 10_000),
    resourceVersion: params.text('resourceVersion', 100),
    start: params.text('start', 100_000),
    resource: params.text('resource', LONGEST_NAME),
    namespace: params.text('namespace', LONGEST_NAME),
  };
}

export function readHoverPlace(value: unknown): HoverPlace {
  const params = new Params(value);
  const position = params.object('position');
  return {
    textDocument: { uri: params.object('textDocument').text('uri') },
    position: {
      line: position.whole('line', 0, LARGEST_UINTEGER),
      character: position.whole('character', 0, LARGEST_UINTEGER),
    },
  };
}

export function readHoverParams(value: unknown): HoverTokenParams {
  const params = new Params(value);
  return {
    line: params.text('line'),
    character: params.whole('character', 0, Number.MAX_SAFE_INTEGER),
  };
}
