// `npm run test:versions`: asks the watch cache of each release of Kubernetes over a grid of requests, and
// compares with the answers that are kept beside. `--write` keeps them; versions such as 1.33 choose.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDir } from '../../etcd/binaries.mjs';
import { buildGo, goMissing, runGo } from '../build.mjs';

const here = import.meta.dirname;
const answersDir = join(here, 'answers');
const known = readdirSync(here).flatMap((name) => /^v(1|0)\.(\d+)$/.exec(name)?.[2] ?? []);
const versions = known.sort((a, b) => a - b).map((minor) => `1.${minor}`);

/** Two folders make one program: what all releases share, and what is a release's own. */
function sourcesOf(version) {
  const own = join(here, version.replace(/^1/, 'v0'));
  const filesOf = (folder) =>
    readdirSync(folder)
      .sort()
      .map((name) => [name, join(folder, name)]);
  return [...filesOf(join(here, '_grid')), ...filesOf(own)];
}

function binaryOf(version) {
  const hash = createHash('sha256');
  for (const [name, path] of sourcesOf(version)) hash.update(name).update(readFileSync(path));
  return join(cacheDir(), 'versions', `${version}-${hash.digest('hex').slice(0, 12)}`, 'grid');
}

/**
 * The cache tells the API server's flow control that a watch has begun, which is all it has of it; and flow
 * control brings every client of every kind. Without these a program builds in a third of the time.
 */
function leaveOut(scratch) {
  const folder = join(scratch, 'vendor/k8s.io/apiserver/pkg/util/flowcontrol');
  for (const name of readdirSync(folder)) {
    if (name.endsWith('.go')) rmSync(join(folder, name));
  }
  const text =
    'package flowcontrol\n\nimport "context"\n\nfunc WatchInitialized(context.Context) {}\n';
  writeFileSync(join(folder, 'flowcontrol.go'), text);
}

function made(version) {
  const binary = binaryOf(version);
  if (existsSync(binary)) return binary;
  console.log(`${version}: building it with Go, minutes the first time`);
  const scratch = mkdtempSync(join(tmpdir(), 'etcd-list-grid-'));
  try {
    for (const [name, path] of sourcesOf(version)) copyFileSync(path, join(scratch, name));
    runGo(scratch, 'mod', 'vendor');
    leaveOut(scratch);
    buildGo(scratch, binary, 'vendor');
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
  return binary;
}

function askedAnew(version) {
  const ran = spawnSync(made(version), { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ran.error) throw ran.error;
  if (ran.status !== 0) throw new Error(`${version}: ${ran.stderr.trim()}`);
  return ran.stdout;
}

function countOf({ decided, served, got }) {
  const texts = [...decided.runs, ...served.runs].map(({ answers }) => answers.length);
  return [...texts, ...got.runs.map(({ outcomes }) => outcomes.length)].reduce((a, b) => a + b, 0);
}

/** Whether the answers are those that are kept, or were kept now. */
function check(version, writes) {
  const text = askedAnew(version);
  const path = join(answersDir, `${version}.json`);
  const answers = JSON.parse(text);
  const what = `${version} (k8s.io/apiserver ${answers.release}): ${countOf(answers)} answers`;
  if (writes) {
    mkdirSync(answersDir, { recursive: true });
    writeFileSync(path, text);
  }
  const same = existsSync(path) && readFileSync(path, 'utf8') === text;
  console.log(`${what}, ${writes ? 'kept' : same ? 'as they are kept' : 'NOT as they are kept'}`);
  return same;
}

function main(words) {
  const chosen = words.filter((word) => word !== '--write');
  const unknown = chosen.find((word) => !versions.includes(word));
  if (unknown !== undefined) {
    console.error(`"${unknown}" is none of ${versions.join(', ')}, nor --write`);
    return 2;
  }
  if (goMissing()) {
    const required = process.env.REQUIRE_ALL === '1';
    console.log(`${required ? 'REQUIRE_ALL=1, but' : 'skipped:'} go is not installed`);
    return required ? 1 : 0;
  }
  const wanted = chosen.length === 0 ? versions : chosen;
  return wanted.map((version) => check(version, words.includes('--write'))).every(Boolean) ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
