/**
 * Settings as people write them by hand: what is nonsense gives a sentence and the default in its
 * place.
 */
import {
  completionBounds,
  completionDefaults,
  SEVERITY_SETTINGS,
  watchCacheMiB,
  type ConnectionSetting,
  type Settings,
  type SeveritySettings,
} from '../../server/protocol/names';
import { hasControls, plainText } from '../common/plainText';
import { checkGates, checkVersion, streamGate } from './gates';

export const defaultSettings: Settings = {
  connections: [],
  rangeStream: true,
  kubernetesVersion: '1.37',
  featureGates: {},
  hoverLanguages: ['yaml', 'json', 'jsonc', 'log', 'plaintext', 'etcdlist'],
  byteBudgetMiB: 512,
  deadlineSeconds: 60,
  demoPods: 20_000,
  'completion.enabled': completionDefaults.enabled,
  'completion.sampleObjects': completionDefaults.sampleObjects,
  'completion.exactUpTo': completionDefaults.exactUpTo,
  'completion.maxAgeSeconds': completionDefaults.maxAgeSeconds,
  'completion.maxKeys': completionDefaults.maxKeys,
  'diagnostics.severity': {},
  'metrics.port': 0,
  'watchCache.memoryLimitMiB': watchCacheMiB.default,
  'trace.server': 'off',
};

export const bounds = {
  byteBudgetMiB: { minimum: 1, maximum: 2047 },
  deadlineSeconds: { minimum: 1, maximum: 3600 },
  demoPods: { minimum: 1, maximum: 200_000 },
  'completion.sampleObjects': completionBounds.sampleObjects,
  'completion.exactUpTo': completionBounds.exactUpTo,
  'completion.maxAgeSeconds': completionBounds.maxAgeSeconds,
  'completion.maxKeys': completionBounds.maxKeys,
  'metrics.port': { minimum: 0, maximum: 65_535 },
  'watchCache.memoryLimitMiB': { minimum: watchCacheMiB.minimum, maximum: watchCacheMiB.maximum },
} as const;

export const traceChoices: readonly Settings['trace.server'][] = ['off', 'messages', 'verbose'];

export interface CheckedSettings {
  readonly settings: Settings;
  /** One sentence for each thing that is wrong, naming its setting. */
  readonly problems: readonly string[];
}

type Report = (problem: string) => void;

/** `read` answers the raw value of a setting, undefined when absent. */
export function checkSettings(read: (name: keyof Settings) => unknown): CheckedSettings {
  const problems: string[] = [];
  const report: Report = (problem) => problems.push(problem);
  const number = (name: keyof typeof bounds): number => {
    const given = read(name);
    const value = given === undefined ? defaultSettings[name] : given;
    const { minimum, maximum } = bounds[name];
    if (Number.isInteger(value) && Number(value) >= minimum && Number(value) <= maximum) {
      return Number(value);
    }
    const fallback = defaultSettings[name];
    report(
      `The setting etcdList.${name} must be a whole number from ${minimum} to ${maximum}; ${fallback} is used.`,
    );
    return fallback;
  };
  const gates = checkGates(read('featureGates'), report);
  const settings: Settings = {
    connections: connections(read('connections'), report),
    rangeStream: streamGate(gates, truth('rangeStream', read, report)),
    kubernetesVersion: checkVersion(read('kubernetesVersion'), report),
    featureGates: gates,
    hoverLanguages: languages(read('hoverLanguages'), report),
    byteBudgetMiB: number('byteBudgetMiB'),
    deadlineSeconds: number('deadlineSeconds'),
    demoPods: number('demoPods'),
    'completion.enabled': truth('completion.enabled', read, report),
    'completion.sampleObjects': number('completion.sampleObjects'),
    'completion.exactUpTo': number('completion.exactUpTo'),
    'completion.maxAgeSeconds': number('completion.maxAgeSeconds'),
    'completion.maxKeys': number('completion.maxKeys'),
    'diagnostics.severity': severities(read('diagnostics.severity'), report),
    'metrics.port': number('metrics.port'),
    'watchCache.memoryLimitMiB': number('watchCache.memoryLimitMiB'),
    'trace.server': trace(read('trace.server'), report),
  };
  return { settings, problems };
}

function truth(
  name: 'rangeStream' | 'completion.enabled',
  read: (name: keyof Settings) => unknown,
  report: Report,
): boolean {
  const fallback = defaultSettings[name];
  const given = read(name);
  const value = given === undefined ? fallback : given;
  if (typeof value === 'boolean') return value;
  report(`The setting etcdList.${name} must be true or false; ${fallback} is used.`);
  return fallback;
}

/** Which codes there are the language server knows. */
function severities(value: unknown = {}, report: Report): SeveritySettings {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('The setting etcdList.diagnostics.severity must be an object; it is read as empty.');
    return {};
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([code, given]: [string, unknown]) => {
      const severity = SEVERITY_SETTINGS.find((known) => known === given);
      if (severity !== undefined) return [[code, severity]];
      report(
        `etcdList.diagnostics.severity: ${plainText(code)} is left out: write "error", "warning", "information", "hint" or "off".`,
      );
      return [];
    }),
  );
}

function trace(value: unknown = 'off', report: Report): Settings['trace.server'] {
  const choice = traceChoices.find((known) => known === value);
  if (choice === undefined) {
    report(
      'The setting etcdList.trace.server must be "off", "messages" or "verbose"; "off" is used.',
    );
  }
  return choice ?? 'off';
}

/** As languages are named in VS Code, or all of them. */
const languageId = /^(?:\*|[a-z\d][\w.+#-]{0,99})$/i;

function languages(
  value: unknown = defaultSettings.hoverLanguages,
  report: Report,
): readonly string[] {
  if (!isTexts(value)) {
    report(
      'The setting etcdList.hoverLanguages must be a list of language ids; the default list is used.',
    );
    return defaultSettings.hoverLanguages;
  }
  return value.filter((id, index) => {
    if (languageId.test(id)) return true;
    report(
      `etcdList.hoverLanguages[${index}] is left out: "${plainText(id)}" is no language id; write one such as yaml, of letters, digits and . _ - + #, or * for all.`,
    );
    return false;
  });
}

function connections(value: unknown = [], report: Report): readonly ConnectionSetting[] {
  if (!Array.isArray(value)) {
    report('The setting etcdList.connections must be a list; it is read as empty.');
    return [];
  }
  const byName = new Map<string, ConnectionSetting>();
  value.forEach((item: unknown, index) => {
    const where = `etcdList.connections[${index}]`;
    const { connection, problem } = checkConnection(item);
    if (!connection) report(`${where} is left out: ${problem}.`);
    else if (byName.has(connection.name)) {
      report(`${where} is left out: another connection has the same name; give it one of its own.`);
    } else byName.set(connection.name, connection);
  });
  return [...byName.values()];
}

/** What the language server takes. */
const longestName = 200;
const mostEndpoints = 100;

type Fields = Readonly<Record<string, unknown>>;
type Checked =
  | { readonly connection: ConnectionSetting; readonly problem?: never }
  | { readonly connection?: never; readonly problem: string };

const topFields: Fields = {
  root: 'string',
  user: 'string',
  serializable: 'boolean',
  tls: 'object',
};
const tlsFields: Fields = {
  ca: 'string',
  cert: 'string',
  key: 'string',
  serverName: 'string',
  skipVerify: 'boolean',
};

function checkConnection(item: unknown): Checked {
  if (!isFields(item)) return { problem: 'it must be an object with "name" and "endpoints"' };
  const { name, tls = {} } = item;
  if (typeof name !== 'string') return { problem: '"name" must be a text that is not empty' };
  const endpoints = endpointsOf(item);
  if (!isFields(tls)) return { problem: '"tls" must be an object' };
  const problem = nameProblem(name) ?? endpointsProblem(endpoints) ?? partsProblem(item, tls);
  if (problem !== undefined) return { problem };
  return {
    connection: {
      name: name.trim(),
      endpoints,
      ...only(item, ['root', 'user', 'serializable']),
      ...('tls' in item && { tls: only(tls, Object.keys(tlsFields)) }),
    },
  };
}

function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return '"name" must be a text that is not empty';
  if (name.length <= longestName && !hasControls(name)) return undefined;
  return `"name" must be one line of at most ${longestName} characters, without control characters`;
}

/** Empty when they are no list of texts. */
function endpointsOf({ endpoints }: Fields): readonly string[] {
  return isTexts(endpoints) ? endpoints.filter((endpoint) => endpoint.trim() !== '') : [];
}

function endpointsProblem(endpoints: readonly string[]): string | undefined {
  if (endpoints.length === 0 || endpoints.length > mostEndpoints) {
    return `"endpoints" must be a list of 1 to ${mostEndpoints} texts such as "127.0.0.1:2379"`;
  }
  if (!endpoints.some((endpoint) => endpoint.includes('@'))) return undefined;
  return 'its endpoints hold a user or password before an @; take them out, write "user", and VS Code will ask for the password';
}

function partsProblem(item: Fields, tls: Fields): string | undefined {
  if ('password' in item || 'passphrase' in item) {
    return 'passwords do not belong in settings; take it out, and VS Code will ask';
  }
  return (
    fieldProblem(item, { name: 'string', endpoints: 'object', ...topFields }, '') ??
    fieldProblem(tls, tlsFields, 'tls.')
  );
}

function fieldProblem(item: Fields, types: Fields, prefix: string): string | undefined {
  for (const [field, value] of Object.entries(item)) {
    if (!Object.hasOwn(types, field))
      return `"${plainText(prefix + field)}" is not known; take it out`;
    if (typeof value === types[field]) continue;
    const wanted = types[field] === 'boolean' ? 'true or false' : 'a text';
    return `"${prefix}${field}" must be ${wanted}`;
  }
  return undefined;
}

/** Copies plain values: what VS Code hands out is a proxy that cannot be sent. */
function only(item: Fields, fields: readonly string[]): Fields {
  return Object.fromEntries(
    fields.filter((field) => item[field] !== undefined).map((field) => [field, item[field]]),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

/** What a notification says of all that is wrong: the first problem, and how many follow. */
export function summary(problems: readonly string[]): string {
  const [first = '', ...others] = problems;
  if (others.length === 0) return first;
  return `${first} (${others.length} more in etcdList's settings: the log has all.)`;
}
