/** A query that is written as a YAML document with the members of `ListOptions`. */
import { isAlias, isMap, isScalar, isSeq, type Document, type Pair, type ParsedNode } from 'yaml';
import { nearest } from '../../common/nearest';
import { cellText } from '../../kube/print/cellText';
import type { Span } from '../../kube/selectors';
import { finding, type Finding, type Fix } from '../findings';
import { coarselyMapped, plainlyMapped, type MappedText } from '../source/mappedText';
import { written } from '../source/writing';
import { MATCH_CHOICES, TRUTH_CHOICES } from './choices';
import type { Draft, DraftTarget, OptionName, Options, Place, Stated } from './draft';
import { wholeOf, wordWriting } from '../source/parts';
import type { Mark } from './model';
import { MOST_FINDINGS } from './options';
import { followed } from './paging';
import { scalarText } from '../source/yamlScalar';
import { YAML_FIELDS, type YamlField } from './yamlFields';
import { memberPlaceIn } from './yamlMembers';

export type YamlDocument = Document.Parsed;

export interface YamlRead {
  readonly draft: Draft;
  readonly name: Stated | undefined;
}

interface Member {
  readonly field: YamlField;
  readonly key: Span;
  /** Undefined where nothing, or nothing of use, stands behind the key. */
  readonly text: MappedText | undefined;
  /** What stands behind the key is told as a fault. */
  readonly isFaulty: boolean;
}

/** Undefined for a document without content. */
export function readYamlQuery(source: string, document: YamlDocument): YamlRead | undefined {
  const { contents, errors } = document;
  const isEmpty = contents === null || (isScalar(contents) && contents.value === null);
  if (isEmpty && errors.length === 0) return undefined;
  const reader = new MemberReader(source, document);
  reader.read(contents);
  const { members } = reader;
  return { draft: draftOf(source, document, reader), name: statedIn(members, 'name') };
}

function draftOf(
  source: string,
  { contents, range }: YamlDocument,
  { members, findings }: MemberReader,
): Draft {
  const span = contents === null ? { start: range[0], end: range[1] } : spanOf(contents);
  const anchor = members[0]?.key ?? { start: span.start, end: Math.min(span.end, span.start + 1) };
  const options = optionsOf(members);
  const follow = statedIn(members, 'follow');
  const asked = follow?.text.text === 'true' ? follow.anchor : undefined;
  const paging = followed(asked, options.get('limit')?.text.text, findings);
  return {
    form: 'yaml',
    anchor,
    span,
    target: isMap(contents) ? targetOf(members, anchor, findings) : undefined,
    options,
    allNamespaces: false,
    withoutNamespace: 'all',
    limit: undefined,
    paging,
    readMode: 'auto',
    skipUnreadable: false,
    findings,
    marks: members.flatMap(marksOf),
    placeAt: (offset) =>
      placeIn(source, members, offset) ?? memberPlaceIn(source, contents, offset),
  };
}

function optionsOf(members: readonly Member[]): Options {
  const options = new Map<OptionName, Stated>();
  for (const { option, name } of YAML_FIELDS) {
    const value = option === undefined ? undefined : statedIn(members, name);
    if (option !== undefined && value !== undefined) options.set(option, value);
  }
  return options;
}

function spanOf({ range: [start, end] }: ParsedNode): Span {
  return { start, end };
}

function statedIn(members: readonly Member[], name: string): Stated | undefined {
  const member = members.find(({ field, text }) => field.name === name && text !== undefined);
  return member?.text && { text: member.text, anchor: member.key };
}

function targetOf(
  members: readonly Member[],
  anchor: Span,
  findings: Finding[],
): DraftTarget | undefined {
  const resource = statedIn(members, 'resource');
  const prefix = statedIn(members, 'prefix');
  if (resource !== undefined && prefix !== undefined) {
    const message = 'A query has a resource or a prefix, not both.';
    findings.push(finding('query', message, prefix.anchor));
    return undefined;
  }
  if (prefix !== undefined) return { kind: 'prefix', prefix };
  if (resource !== undefined) return { kind: 'word', resource, name: undefined };
  const isTold = members.some(({ field, isFaulty }) => isFaulty && TARGETS.has(field.name));
  if (isTold) return undefined;
  const message = 'A query needs a resource, such as pods, or a prefix, such as /registry/pods/.';
  findings.push(finding('query', message, anchor));
  return undefined;
}

/** Upstream: `failWantMap` of `go.yaml.in/yaml/v2`. */
const NO_MERGE = 'yaml: map merge requires map or sequence of maps as the value';

const TARGETS: ReadonlySet<string> = new Set(['resource', 'prefix']);

class MemberReader {
  readonly members: Member[] = [];
  readonly findings: Finding[] = [];

  constructor(
    private readonly source: string,
    private readonly document: YamlDocument,
  ) {}

  read(contents: ParsedNode | null): void {
    for (const { pos, message } of this.document.errors) {
      const start = Math.min(pos[0], this.source.length);
      const end = Math.min(Math.max(pos[1], start), this.source.length);
      this.findings.push(finding('query', message, { start, end }));
    }
    if (isMap(contents)) {
      const isMerge = ({ key }: Pair<ParsedNode>): boolean =>
        isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
      for (const pair of contents.items) if (!isMerge(pair)) this.readPair(pair);
      // What is written in the query itself counts before what is merged into it.
      for (const pair of contents.items)
        if (isMerge(pair)) this.merge(pair.value, spanOf(pair.key));
      return;
    }
    if (contents === null) return;
    const message = 'A query is a mapping with members such as resource and labelSelector.';
    const { start, end } = spanOf(contents);
    this.findings.push(finding('query', message, { start, end: Math.min(end, start + 1) }));
  }

  private readPair({ key, value }: Pair<ParsedNode, ParsedNode | null>): void {
    const span = spanOf(key);
    const name = isScalar(key) ? String(key.value) : '';
    const field = YAML_FIELDS.find((each) => each.name === name);
    if (field === undefined) this.unknown(name, span);
    else if (this.members.some((member) => member.field === field)) {
      this.findings.push(finding('query', `${name} stands here twice.`, span));
    } else this.add(field, value, span);
  }

  /** What is near is looked for as long as it may be told: of very many names that takes long. */
  private unknown(name: string, span: Span): void {
    const names = this.findings.length < MOST_FINDINGS ? nearest(name, NAMES) : [];
    this.findings.push(unknownMember(name, names, span));
  }

  /** One level: maps that are merged into those are not looked at. */
  private merge(value: ParsedNode | null, key: Span): void {
    for (const each of isSeq(value) ? value.items : [value]) {
      const node = isAlias(each) ? each.resolve(this.document) : each;
      const span = each === null ? key : spanOf(each);
      if (isAlias(each) && node === undefined) this.unknownAnchor(each.source, span);
      else if (!isMap(node)) this.findings.push(finding('query', NO_MERGE, span));
      else for (const pair of node.items) this.take(pair as Pair<ParsedNode, ParsedNode | null>);
    }
  }

  private take({ key, value }: Pair<ParsedNode, ParsedNode | null>): void {
    const name = isScalar(key) ? String(key.value) : '';
    const field = YAML_FIELDS.find((each) => each.name === name);
    const isGiven = this.members.some((member) => member.field === field);
    if (field !== undefined && !isGiven) this.add(field, value, spanOf(key));
  }

  private add(field: YamlField, value: ParsedNode | null, key: Span): void {
    const before = this.findings.length;
    const text = this.textOf(field, value, key);
    this.members.push({ field, key, text, isFaulty: this.findings.length > before });
  }

  private textOf(field: YamlField, value: ParsedNode | null, key: Span): MappedText | undefined {
    const node = isAlias(value) ? value.resolve(this.document) : value;
    const span = value === null ? key : spanOf(value);
    if (isAlias(value) && node === undefined) this.unknownAnchor(value.source, span);
    if (node === null || node === undefined) return undefined;
    if (!isScalar(node)) {
      this.findings.push(this.notScalar(field, span));
      return undefined;
    }
    if (node.value === null) return undefined;
    const text = this.typedText(field, node.value, node.source, span);
    if (text === undefined) return undefined;
    return isAlias(value) ? coarselyMapped(text, span) : scalarText(node, this.source, text);
  }

  /** Upstream: `go.yaml.in/yaml/v2` (`decode.go`). */
  private unknownAnchor(name: string, span: Span): void {
    const message = `yaml: unknown anchor '${cellText(name)}' referenced`;
    this.findings.push(finding('query', message, span));
  }

  private notScalar(field: YamlField, span: Span): Finding {
    const raw = this.source.slice(span.start, Math.min(span.end, span.start + 300));
    if (!raw.startsWith('{{')) {
      return finding('query', `${field.name} takes one text, number or truth value.`, span);
    }
    const put = written(raw, 'yaml');
    const fixes: Fix[] =
      put === undefined || raw.length < span.end - span.start
        ? []
        : [{ title: 'Put it into quotes', edits: [{ span, text: put }], preferred: true }];
    return finding('query', 'YAML takes {{ for a mapping: put it into quotes.', span, fixes);
  }

  /** As text; undefined with a finding where it is of another type. */
  private typedText(
    { name, type }: YamlField,
    value: unknown,
    source: string | undefined,
    span: Span,
  ): string | undefined {
    if (type === 'text' && typeof value === 'string') return value;
    if (type === 'whole' && typeof value === 'bigint') return String(value);
    if (type === 'truth' && typeof value === 'boolean') return String(value);
    if (type === 'text') {
      this.findings.push(notText(name, source ?? String(value), span));
    } else {
      const wanted = type === 'whole' ? 'a whole number' : 'true or false';
      this.findings.push(finding('query', `${name} takes ${wanted}, without quotes.`, span));
    }
    return undefined;
  }
}

function notText(name: string, source: string, span: Span): Finding {
  const put = written(source, 'yaml');
  const fixes: Fix[] =
    put === undefined
      ? []
      : [{ title: 'Put it into quotes', edits: [{ span, text: put }], preferred: true }];
  const message = `${name} takes a text, and YAML reads ${cellText(source)} as something else.`;
  return finding('not-a-string', message, span, fixes);
}

const NAMES = YAML_FIELDS.map(({ name }) => name);

function unknownMember(name: string, names: readonly string[], span: Span): Finding {
  const fixes = names.map((text, i): Fix => ({
    title: `Change to ${text}`,
    edits: [{ span, text }],
    preferred: i === 0,
  }));
  const hint = names[0] === undefined ? '' : ` Did you mean ${names[0]}?`;
  const message = `A query knows no member "${cellText(name)}": it has no effect.${hint}`;
  return finding('no-effect', message, span, fixes);
}

function marksOf({ field, key, text }: Member): Mark[] {
  const marks: Mark[] = [{ span: key, type: 'parameter' }];
  if (text === undefined) return marks;
  const span = wholeOf(text);
  if (field.name === 'resource') marks.push({ span, type: 'type' });
  else if (field.name === 'name') marks.push({ span, type: 'variable' });
  else if (field.type === 'whole' || field.name === 'resourceVersion') {
    marks.push({ span, type: 'number' });
  } else if (field.type === 'truth' || field.name === 'resourceVersionMatch') {
    marks.push({ span, type: 'keyword' });
  } else if (field.name === 'prefix' || field.name === 'namespace') {
    marks.push({ span, type: 'string' });
  }
  return marks;
}

/** What may be completed in a value. */
function placeIn(source: string, members: readonly Member[], offset: number): Place | undefined {
  const member = members.find(({ text }) => text !== undefined && covers(wholeOf(text), offset));
  if (member?.text !== undefined) return valuePlace(member.field, member.text);
  const open = members.find(({ key, text }) => text === undefined && isBehind(source, key, offset));
  return open && valuePlace(open.field, plainlyMapped('', offset, 'yaml'));
}

function covers({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}

/** Whether nothing but a colon and blanks stands between a key and the offset. */
function isBehind(source: string, key: Span, offset: number): boolean {
  return offset > key.end && /^["']?[ \t]*:[ \t]+$/.test(source.slice(key.end, offset));
}

function valuePlace({ name, type }: YamlField, text: MappedText): Place | undefined {
  const place = { text, writingIn: () => text.writing, choices: [], given: [] };
  const choice = { ...place, kind: 'choice', isInSchema: true } as const;
  // In quotes it would be a text.
  if (type === 'truth') return { ...choice, choices: TRUTH_CHOICES, writingIn: () => 'plain' };
  switch (name) {
    case 'labelSelector':
      return { ...place, kind: 'labels', writingIn: () => wordWriting(text) };
    case 'fieldSelector':
      return { ...place, kind: 'fields', writingIn: () => wordWriting(text) };
    case 'continue':
      return { ...place, kind: 'token' };
    case 'resource':
    case 'namespace':
      return { ...place, kind: name };
    case 'resourceVersionMatch':
      return { ...choice, choices: MATCH_CHOICES };
    default:
      return undefined;
  }
}
