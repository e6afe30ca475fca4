/** What is known beside the text, and how much of a text is looked at. */
import type { Checkpoint } from '../model';

/** A custom resource whose definition is known. */
export interface KnownCustomResource {
  readonly group: string;
  readonly plural: string;
  /** Other names that it goes by: singular and short ones, in small letters. */
  readonly otherNames: readonly string[];
  /** Undefined while only its name is known. */
  readonly namespaced: boolean | undefined;
  /** JSON paths of its selectable fields; undefined while only its name is known. */
  readonly selectablePaths: readonly string[] | undefined;
}

export interface QueryFileOptions {
  /** The namespace that kubectl would read without `-n`; `default` when absent. */
  readonly namespace?: string;
  /** Storage root, for prefixes; `/registry` when absent. */
  readonly root?: string;
  /** Those of the open connection; a file may be run over another one, so that none is wrong for not being among them. */
  readonly customResources?: readonly KnownCustomResource[];
  /** Whether names that are near an unknown one are looked for, which takes long for very many; they are when absent. */
  readonly suggests?: boolean;
  readonly checkpoint?: Checkpoint;
}

/** UTF-16 units of a file; a longer one is not looked at. */
export const LONGEST_FILE = 2 * 1024 * 1024;

/** UTF-16 units of one request; a longer one, which no shell would take either, is not looked at. */
export const LONGEST_REQUEST = 256 * 1024;

/** Blocks of a file that are looked at. */
export const MOST_BLOCKS = 10_000;

/** UTF-16 units of a YAML file: its parser takes much more time and memory for each. */
export const LONGEST_YAML = 256 * 1024;

/** Findings of a file that are told. */
export const MOST_FINDINGS = 1000;

/** Comment lines that are marked; the grammar colours the others. */
export const MOST_COMMENTS = 100_000;
