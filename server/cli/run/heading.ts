/** What says which query of a run is meant. */
import { shellWord } from '../../common/shellWord';
import type { QueryRequest } from '../../language/query/model';
import { referenceTo } from '../../language/query/references';
import type { RunPlan } from '../args/plan';
import type { ChosenQuery } from './chosen';
import { getPlanOf, requestWords } from './getPlan';

export interface Heading {
  /** Empty for a query without one. */
  readonly name: string;
  /** The request's first line, or what it is as a command where it is written in YAML. */
  readonly request: string;
  /** Of the request, from 1. */
  readonly line: number;
}

const LONGEST = 200;

export function headingOf(query: ChosenQuery, text: string, plan: RunPlan): Heading {
  const request =
    query.form === 'yaml'
      ? asCommand(query, plan)
      : firstLine(text, query.anchor.start, query.span.end);
  return { name: query.name ?? '', request: shortened(request), line: query.line + 1 };
}

function asCommand({ request }: ChosenQuery, plan: RunPlan): string {
  const words = requestWords(getPlanOf(request, '', plan)).map(shellWord);
  return [...words, ...goingOn(request)].join(' ');
}

function goingOn({ continue: source }: QueryRequest): string[] {
  if (source.kind === 'none') return [];
  return [`--continue=${source.kind === 'token' ? source.token : referenceTo(source.name)}`];
}

function firstLine(text: string, start: number, limit: number): string {
  const shown = text.slice(start, Math.min(limit, start + LONGEST + 1));
  const end = shown.search(/[\r\n]/);
  const line = (end < 0 ? shown : shown.slice(0, end)).trimEnd();
  // The request goes on in the next line.
  return line.endsWith('\\') ? `${line.slice(0, -1)}…` : line;
}

function shortened(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** The name, else the request. */
export function titleOf({ name, request }: Heading): string {
  return name === '' ? request : name;
}

export function headingText(heading: Heading): string {
  const { name, request } = heading;
  return name === '' ? `### ${request}` : `### ${name}: ${request}`;
}
