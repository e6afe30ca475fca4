// Makes server/kube/kinds/descriptor.ts: `node test/oracle/describe.mjs`. The facts come from the
// Go types of the pinned modules by reflection, and must agree with the generated.proto beside them.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getOracle, pinnedModule, requirePinned } from './binary.mjs';

/** What is shown by name. */
const KINDS = [
  'v1/Pod',
  'apps/v1/Deployment',
  'v1/Service',
  'v1/ConfigMap',
  'v1/Secret',
  'v1/Node',
  'v1/Event',
  'events.k8s.io/v1/Event',
];

const API = 'k8s.io.api.';
const META = 'k8s.io.apimachinery.pkg.';
/** Types whose JSON is not that of their fields, as generated.proto calls them. */
const OWN_FORMS = {
  time: 'meta.v1.Time',
  microtime: 'meta.v1.MicroTime',
  quantity: 'resource.Quantity',
  intstr: 'intstr.IntOrString',
  fieldsv1: 'meta.v1.FieldsV1',
};

export const descriptorPath = resolve(import.meta.dirname, '../../server/kube/kinds/descriptor.ts');

/** The text of the descriptor, or undefined where the oracle or Go is missing. */
export function descriptorText() {
  const oracle = getOracle();
  if (oracle === undefined) return undefined;
  const messages = ask(oracle);
  const declared = readProtos();
  for (const message of messages) compare(message, declared);
  return print(messages);
}

function ask(oracle) {
  const questions = [{ op: 'versions' }, { op: 'describe', kinds: { kinds: KINDS } }];
  const input = questions.map((question) => `${JSON.stringify(question)}\n`).join('');
  const options = { input, encoding: 'utf8', maxBuffer: 1 << 26, timeout: 60_000 };
  const { stdout, error } = spawnSync(oracle, options);
  if (error?.code === 'ETIMEDOUT') throw new Error('the oracle did not answer within 60 s');
  if (error) throw new Error(`the oracle does not run: ${error.message}`);
  const [{ versions }, { messages }] = readAnswers(stdout, questions.length);
  requirePinned(Array.isArray(versions) ? versions : []);
  if (!Array.isArray(messages)) throw new Error('the oracle answers without the messages');
  return messages;
}

function readAnswers(text, count) {
  const lines = text.split('\n').slice(0, -1);
  if (lines.length !== count)
    throw new Error(`the oracle gave ${lines.length} of ${count} answers`);
  return lines.map((line) => {
    const answer = readAnswer(line);
    if (typeof answer !== 'object' || answer === null)
      throw new Error(`what the oracle says is no answer: ${line.slice(0, 200)}`);
    if (answer.failure !== undefined) throw new Error(`the oracle: ${answer.failure}`);
    return answer;
  });
}

function readAnswer(line) {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function moduleDir(path) {
  const env = { HOME: homedir(), ...process.env, GOWORK: 'off' };
  const list = ['list', '-m', '-f', '{{.Dir}}', path];
  const go = spawnSync('go', list, { cwd: import.meta.dirname, encoding: 'utf8', env });
  if (go.error) throw new Error(`go does not run: ${go.error.message}`);
  if (go.status !== 0) throw new Error(go.stderr.trim());
  return go.stdout.trim();
}

/** Every message of the files that the kinds come from: its fields by number. */
function readProtos() {
  const api = moduleDir('k8s.io/api');
  const meta = moduleDir('k8s.io/apimachinery');
  const files = [
    join(api, 'core/v1'),
    join(api, 'apps/v1'),
    join(api, 'events/v1'),
    join(meta, 'pkg/apis/meta/v1'),
  ];
  return new Map(
    files.flatMap((dir) => readProto(readFileSync(join(dir, 'generated.proto'), 'utf8'))),
  );
}

function readProto(text) {
  const scope = /^package (\S+);$/m.exec(text)[1];
  return [...text.matchAll(/^message (\w+) \{\n([^]*?)^\}$/gm)].map(([, name, body]) => {
    const lines = body.matchAll(
      /^ {2}(?:(optional|repeated) )?(?:map<string, ([\w.]+)>|([\w.]+)) (\w+) = (\d+);$/gm,
    );
    const fields = [...lines].map(([, label, value, type, field, number]) => {
      const container = value === undefined ? label : 'map';
      return [Number(number), [container, shortName(value ?? type, scope), field].join(' ')];
    });
    return [shortName(name, scope), new Map(fields)];
  });
}

const PROTO_SCALARS = new Set(['string', 'bytes', 'bool', 'int32', 'int64']);

/** A type's name from its API group on, such as `core.v1.Pod`; scalars stay. */
function shortName(type, scope) {
  if (PROTO_SCALARS.has(type)) return type;
  const whole = type.includes('.') ? type.replace(/^\./, '') : `${scope}.${type}`;
  return whole
    .replace(API, '')
    .replace(META, '')
    .replace(/^(?:apis|api|util)\./, '');
}

function compare({ name, fields }, declared) {
  const short = shortName(name, '');
  const proto = declared.get(short);
  const reflected = fields.map(({ number, container, type, proto: field }) => {
    const label = { list: 'repeated', map: 'map' }[container] ?? 'optional';
    return [number, [label, OWN_FORMS[type] ?? shortName(type, ''), field].join(' ')];
  });
  const [a, b] = [reflected, [...(proto ?? [])].sort(([x], [y]) => x - y)].map((list) =>
    JSON.stringify(list),
  );
  if (a !== b) throw new Error(`${short}: the Go type has ${a}, generated.proto ${b}`);
}

function printField({ number, json, go, container, type, keep }) {
  const usual = json.charAt(0).toUpperCase() + json.slice(1);
  const name = json === '' ? '^' : json;
  const mark = { pointer: '*', list: '[]', map: '{}' }[container] ?? '';
  const form = type in OWN_FORMS ? type : shortName(type, '');
  return `${number} ${name}${go === usual ? '' : `/${go}`} ${mark}${form}${keep ? '!' : ''}`;
}

/** The message's name of a kind: the first part of its group, `core` where that is empty. */
function rootOf(kind) {
  const parts = kind.split('/');
  const [group, version, name] = parts.length === 3 ? parts : ['core', ...parts];
  return `${group.split('.')[0]}.${version}.${name}`;
}

function print(messages) {
  const api = pinnedModule('k8s.io/api');
  const release = /^v0\.(\d+)\./.exec(api)[1];
  const roots = KINDS.map((kind) => `  '${kind}': '${rootOf(kind)}',`);
  const lines = messages.map(({ name, fields }) => {
    const text = fields.map(printField).join(', ');
    return `  '${shortName(name, '')}: ${text}',`;
  });
  return `/**
 * Field numbers, names and types of the kinds that are shown by name; \`shapes.ts\` explains the
 * notation. Made by \`node test/oracle/describe.mjs\` from k8s.io/api and k8s.io/apimachinery
 * ${api}, not by hand.
 */

/** The Kubernetes release that the facts are of. */
export const RELEASE = '1.${release}';

/** The message of each kind, by apiVersion and kind. */
export const KINDS: Readonly<Record<string, string>> = {
${roots.join('\n')}
};

export const MESSAGES: readonly string[] = [
${lines.join('\n')}
];
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.env.REQUIRE_ALL = '1';
  try {
    writeFileSync(descriptorPath, descriptorText());
  } catch (error) {
    console.error(`describe: ${error.message}`);
    process.exitCode = 1;
  }
}
