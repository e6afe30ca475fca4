/** Manifests in one process: what is found in them beside a parse of the same text. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { manifestOf, type Shape, type Until } from './manifest';
import { alternate, medianMs, sameCount, type Runs } from './rounds';
import { LanguageSide, type Surroundings } from './sideProcess';

const waysOf = (side: LanguageSide) => ({
  usual: () => side.ask({ op: 'parse', how: 'usual' }),
  lean: () => side.ask({ op: 'parse', how: 'lean' }),
  analyse: () => side.ask({ op: 'analyse' }),
  change: () => side.ask({ op: 'change' }),
  complete: () => side.ask({ op: 'complete' }),
  hover: () => side.ask({ op: 'hover' }),
  lenses: () => side.ask({ op: 'lenses' }),
  touched: () => side.ask({ op: 'parseTouched' }),
});

type Way = keyof ReturnType<typeof waysOf>;

export interface FileResult {
  readonly shape: Shape;
  readonly lines: number;
  readonly documents: number;
  readonly selectors: number;
  readonly findings: number;
  readonly runs: Readonly<Record<Way, Runs>>;
}

export function writeText(around: Surroundings, shape: Shape, until: Until): string {
  const file = join(around.folder, `${shape}-${Object.values(until).join('')}.yaml`);
  writeFileSync(file, manifestOf(shape, until));
  return file;
}

/** Rejects where nothing was found, or not the same in every run. */
export async function measureFile(
  shape: Shape,
  lines: number,
  rounds: number,
  around: Surroundings,
): Promise<FileResult> {
  around.progress(`${lines} lines as ${shape}`);
  const side = await LanguageSide.start(`a manifest as ${shape}`, around);
  const { counts } = await side.ask({ op: 'read', file: writeText(around, shape, { lines }) });
  await side.ask({ op: 'buildIndex', shape: 'values' });
  const runs = await alternate(waysOf(side), rounds);
  await side.stop();
  const selectors = sameCount('the analysis', runs.analyse, 'selectors');
  const unchecked = sameCount('the analysis', runs.analyse, 'unchecked');
  if (selectors === 0 || unchecked > 0) throw new Error('the manifest was not gone over');
  if (sameCount('a completion', runs.complete, 'offers') === 0) throw new Error('nothing offered');
  if (sameCount('a hover', runs.hover, 'characters') === 0) throw new Error('nothing to hover');
  if (sameCount('lenses', runs.lenses, 'lenses') === 0) throw new Error('no lenses');
  return {
    shape,
    lines: counts['lines'] ?? Number.NaN,
    documents: sameCount('yaml', runs.usual, 'documents'),
    selectors,
    findings: sameCount('the analysis', runs.analyse, 'findings'),
    runs,
  };
}

export const msOf = ({ runs }: FileResult, way: Way): number => medianMs(runs[way]);
