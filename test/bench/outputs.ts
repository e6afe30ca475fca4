/** Where a run writes what it found: looked at before it begins, written when it ends. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { growthPictures } from './chart';
import { writeMarkdown } from './markdown';
import { checkMarkers } from './markers';
import type { BenchOptions } from './options';
import type { Report } from './report';

/** Folders and files as whole paths. */
export interface Outputs {
  readonly json: string | undefined;
  readonly markdown: string | undefined;
  readonly images: string | undefined;
  readonly profile: string | undefined;
}

/** What goes wrong is named by its option. */
export function named<T>(option: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    throw new Error(`--${option}: ${(error as Error).message}`, { cause: error });
  }
}

export function writableFile(path: string): void {
  accessSync(existsSync(path) ? path : dirname(path), constants.W_OK);
}

/** Each level by itself: Node's recursive way never ends below `/proc`. */
function makeFolder(path: string): void {
  if (existsSync(path)) {
    if (!statSync(path).isDirectory()) throw new Error(`${path} is no folder`);
    return;
  }
  makeFolder(dirname(path));
  mkdirSync(path);
}

function writableFolder(path: string): void {
  makeFolder(path);
  accessSync(path, constants.W_OK);
}

/** Paths begin where the command is typed. Throws, naming the option, where nothing could be written. */
export function prepareOutputs(options: BenchOptions, root: string): Outputs {
  const whole = (path: string | undefined): string | undefined =>
    path === undefined ? undefined : resolve(path);
  const [json, markdown, profile] = [options.json, options.markdown, options.profile].map(whole);
  const usual = markdown === undefined ? undefined : join(root, 'docs', 'images');
  const images = whole(options.images) ?? usual;
  if (json !== undefined) {
    named('json', () => {
      writableFile(json);
    });
  }
  if (markdown !== undefined) {
    named('markdown', () => {
      checkMarkers(readFileSync(markdown, 'utf8'));
      writableFile(markdown);
    });
  }
  if (images !== undefined && options.growthTo > 0) {
    named('images', () => {
      writableFolder(images);
    });
  }
  if (profile !== undefined) {
    named('profile', () => {
      writableFolder(profile);
    });
  }
  return { json, markdown, images, profile };
}

export function writeOutputs({ json, markdown, images }: Outputs, report: Report): void {
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, null, 1)}\n`);
  if (images !== undefined && report.growth.length > 0) {
    for (const [name, svg] of growthPictures(report.growth)) writeFileSync(join(images, name), svg);
  }
  if (markdown !== undefined) {
    writeFileSync(markdown, writeMarkdown(readFileSync(markdown, 'utf8'), report));
  }
}
