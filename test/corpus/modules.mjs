// The modules whose YAML files are gone over: `go.mod` pins them, `go.sum` holds their checksums.
// They lie in Go's own module cache; nothing of them is committed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

const source = import.meta.dirname;

/** As `go.mod` names them, each with its version. */
export function pinnedModules() {
  const mod = readFileSync(join(source, 'go.mod'), 'utf8');
  return [...mod.matchAll(/^\t(\S+) (v\S+)$/gm)].map(([, path, version]) => ({ path, version }));
}

/** Checksums of modules by `PATH VERSION`. */
function pinnedSums() {
  const sums = readFileSync(join(source, 'go.sum'), 'utf8');
  return new Map(
    [...sums.matchAll(/^(\S+ v[^\s/]+) (h1:\S+)$/gm)].map(([, name, sum]) => [name, sum]),
  );
}

/** Go writes one object a module, one after the other. */
function objectsOf(stdout) {
  return stdout
    .split(/^(?=\{$)/m)
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text));
}

/**
 * Each module with the folder it lies in, downloaded where it is not there yet, or with what went
 * wrong. A folder is named only when its checksum is the pinned one.
 */
export function getModules(modules = pinnedModules()) {
  // Read before Go runs, which adds to the file what it lacks.
  const sums = pinnedSums();
  const names = modules.map(({ path, version }) => `${path}@${version}`);
  const { stdout, stderr, error } = spawnSync('go', ['mod', 'download', '-json', ...names], {
    cwd: source,
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
    env: { HOME: homedir(), ...process.env, GOWORK: 'off', GOFLAGS: '-mod=readonly' },
  });
  const found = error ? [] : objectsOf(stdout);
  const general = error?.code === 'ENOENT' ? 'go is not installed' : (error?.message ?? stderr);
  return modules.map((module) => {
    const got = found.find(({ Path }) => Path === module.path);
    const sum = sums.get(`${module.path} ${module.version}`);
    return { ...module, ...folderOf(got, sum, general.trim()) };
  });
}

function folderOf(got, wanted, general) {
  const why = got?.Error ?? (got?.Dir === undefined ? general : undefined);
  if (why !== undefined) return { why: why.replaceAll(/\s*\n\s*/g, ' ') };
  if (got.Sum === wanted) return { folder: got.Dir };
  return { why: `its checksum is ${got.Sum}, and ${wanted ?? 'none'} is pinned` };
}
