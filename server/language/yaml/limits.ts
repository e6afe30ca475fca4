/** How much of a file is looked at, and what is said where that ends. */
import { MOST_ALIASED } from './tree';

export interface YamlLimits {
  /** UTF-16 units of one document, of what of it has to be parsed. */
  readonly document: number;
  /** What the documents of a file may cost together, in UTF-16 units. */
  readonly file: number;
  /** Of each severity. */
  readonly findingsOfDocument: number;
  readonly findingsOfFile: number;
  readonly sitesOfFile: number;
}

export const YAML_LIMITS: YamlLimits = {
  document: 2_000_000,
  file: 8_000_000,
  findingsOfDocument: 1_000,
  findingsOfFile: 5_000,
  sitesOfFile: 10_000,
};

/** What a document costs beside its length: as much as the parsing of so many UTF-16 units. */
export const COST_OF_DOCUMENT = 250;

/** The same of each value that is reached through aliases. */
export const COST_OF_ALIASED = 10;

export const FILE_TOO_LARGE =
  'From here on this file is not looked at: it is too large, or has too many documents.';
export const DOCUMENT_TOO_LARGE = 'This document is too large to be looked at.';
export const TOO_DEEP = 'This document is nested too deep to be looked at.';
export const TOO_MUCH = `Aliases make too much of this document, more than ${MOST_ALIASED / 1000},000 values: not all of it was looked at.`;
export const CONTROL_CHARACTER =
  'This document is not looked at, since no one can read it: yaml: control characters are not allowed';
export const SELECTOR_TOO_LONG = 'This selector is too long to be looked at.';
export const SCRIPT_TOO_LONG = 'This script is too long for its commands to be looked at.';
export const SCRIPT_TOO_DEEP =
  'This script is nested too deep: not all of its commands were looked at.';
export const TOO_MANY_SERVICES =
  'From here on Services are not held against the Pods of this file: there are too many.';
