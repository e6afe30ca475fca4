/** A YAML file of queries (`*.etcdlist.yaml`): one a document. */
import { parseAllDocuments } from 'yaml';
import type { Span } from '../../kube/selectors';
import { finding, type Edit, type Finding, type Fix } from '../findings';
import { shownNumber } from '../index/nouns';
import type { Analysis, CompletionSpot, SelectorSite } from '../model';
import { analysisOf, CheckedQueries, type Unit } from './checkedQueries';
import { wholeOf } from '../source/parts';
import { withoutBlankEnd } from '../source/lines';
import { orderedMarks } from './marks';
import type { Mark, Query, QueryDocument, QuerySymbol } from './model';
import { LONGEST_YAML, MOST_BLOCKS, type QueryFileOptions } from './options';
import { spotOf, type SpotContext } from './spots';
import { readYamlQuery, type YamlDocument } from './yamlForm';
import { blankPlace } from './yamlMembers';

const EMPTY: SpotContext = {
  from: { resource: undefined, namespace: undefined },
  fieldNames: [],
  names: [],
};

export class YamlQueryFile implements QueryDocument {
  private readonly limits: Finding[] = [];
  private readonly checked: CheckedQueries;

  constructor(
    private readonly text: string,
    options: QueryFileOptions = {},
  ) {
    this.checked = new CheckedQueries(this.units(), options);
  }

  analysis(): Analysis {
    return analysisOf(this.checked, this.limits);
  }

  queries(): readonly Query[] {
    return this.checked.queries;
  }

  isWhole(): boolean {
    return this.limits.length === 0;
  }

  siteAt(offset: number): SelectorSite | undefined {
    return this.checked.siteAt(offset);
  }

  actionsAt(offset: number): Fix[] {
    return this.checked.actionsAt(offset, this.text);
  }

  spotAt(offset: number): CompletionSpot | undefined {
    const at = this.checked.placeAt(offset);
    if (at !== undefined) return spotOf(at.place, offset, at);
    // A document with nothing in it is no query yet.
    const place = this.checked.covers(offset) ? undefined : blankPlace(this.text, offset);
    return place && spotOf(place, offset, EMPTY);
  }

  symbols(): readonly QuerySymbol[] {
    return this.queries().map(({ name, span, anchor, request }, i) => ({
      name: name ?? request?.resource ?? `query ${i + 1}`,
      detail: name === undefined ? '' : (request?.resource ?? ''),
      span,
      selection: anchor,
    }));
  }

  folds(): readonly Span[] {
    return this.queries().flatMap(({ anchor, span }) => {
      const fold = withoutBlankEnd(this.text, { start: anchor.start, end: span.end });
      return fold.end > fold.start ? [fold] : [];
    });
  }

  semanticTokens(): readonly Mark[] {
    return orderedMarks(this.text, this.checked.marks);
  }

  /** YAML has formatters of its own. */
  format(): readonly Edit[] {
    return [];
  }

  private units(): Unit[] {
    const units: Unit[] = [];
    let line = 0;
    let counted = 0;
    for (const document of this.documents()) {
      const read = readYamlQuery(this.text, document);
      if (read === undefined) continue;
      const { draft, name } = read;
      line += lineBreaks(this.text, counted, draft.anchor.start);
      counted = draft.anchor.start;
      const names = name === undefined ? [] : [{ text: name.text.text, span: wholeOf(name.text) }];
      const { anchor } = draft;
      const [start, , end] = document.range;
      const span = { start, end: Math.min(end, this.text.length) };
      units.push({ span, anchor, line, names, draft, findings: [] });
    }
    return units;
  }

  private documents(): YamlDocument[] {
    if (this.text.length > LONGEST_YAML) {
      this.limit(`This file is too large to be looked at: more than ${LONGEST_YAML / 1024} KiB.`);
      return [];
    }
    const documents = this.parsed();
    const next = documents[MOST_BLOCKS];
    if (next === undefined) return documents;
    this.limit(`Only the first ${shownNumber(MOST_BLOCKS)} queries are looked at.`, next.range[0]);
    return documents.slice(0, MOST_BLOCKS);
  }

  private parsed(): YamlDocument[] {
    try {
      const documents = parseAllDocuments(this.text, {
        prettyErrors: false,
        // They are looked for here, in time that does not grow with their square.
        uniqueKeys: false,
        intAsBigInt: true,
        logLevel: 'silent',
      });
      if (!Array.isArray(documents)) return [];
      return documents.some(isTooDeep) ? this.tooDeep() : documents;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return this.tooDeep();
    }
  }

  private tooDeep(): [] {
    this.limit('This file is nested too deeply to be looked at.');
    return [];
  }

  private limit(message: string, at = 0): void {
    const end = Math.min(this.text.length, at + 1);
    this.limits.push(finding('not-checked', message, { start: Math.min(at, end), end }));
  }
}

/** The parser calls itself for each level, and tells of it where it could still do so. */
function isTooDeep({ errors }: YamlDocument): boolean {
  return errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
}

function lineBreaks(text: string, start: number, end: number): number {
  return text.slice(start, end).match(/\r\n?|\n/g)?.length ?? 0;
}
