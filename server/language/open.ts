/** Which language a document is in, told by its name and the editor's word for it. */
import { QueryFile } from './query/queryFile';
import { YamlQueryFile } from './query/yamlQueryFile';
import type { QueryDocument } from './query/model';
import type { Analysis, CompletionSpot, LanguageFile, SelectorSite } from './model';
import { YamlFile } from './yaml/yamlFile';

export interface GivenDocument {
  /** A path or URI; its end is what counts. */
  readonly uri: string;
  /** The editor's; empty where there is none. */
  readonly languageId: string;
  readonly text: string;
}

type Kind = 'queries' | 'yamlQueries' | 'manifest';

/** Undefined for what is neither a manifest nor queries. */
export function openDocument(document: GivenDocument): LanguageFile | undefined {
  const kind = kindOf(document);
  if (kind === undefined) return undefined;
  const { text, uri } = document;
  if (kind === 'manifest') return new YamlFile(text, { fileName: baseName(uri) });
  const read =
    kind === 'queries'
      ? (changed: string) => new QueryFile(changed)
      : (changed: string) => new YamlQueryFile(changed);
  return new QueriesFile(read, text);
}

const QUERIES = /\.etcdlist$/i;
const YAML_QUERIES = /\.etcdlist\.ya?ml$/i;
const MANIFEST = /\.(?:ya?ml|json|tpl)$/i;

function kindOf({ uri, languageId, text }: GivenDocument): Kind | undefined {
  const name = baseName(uri);
  if (YAML_QUERIES.test(name)) return 'yamlQueries';
  if (languageId === 'etcdlist' || QUERIES.test(name)) return 'queries';
  if (languageId === 'yaml' || languageId === 'helm' || MANIFEST.test(name)) return 'manifest';
  if (languageId !== '') return undefined;
  return /^(?:#.*\n|\s)*(?:kubectl|GET|list)\s/.test(text) ? 'queries' : 'manifest';
}

function baseName(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** Queries are few and short: all of a changed file is read again. */
class QueriesFile implements LanguageFile {
  private document: QueryDocument;

  constructor(
    private readonly read: (text: string) => QueryDocument,
    text: string,
  ) {
    this.document = read(text);
  }

  get queries(): QueryDocument {
    return this.document;
  }

  update(text: string): void {
    this.document = this.read(text);
  }

  analysis(): Analysis {
    return this.document.analysis();
  }

  spotAt(offset: number): CompletionSpot | undefined {
    return this.document.spotAt(offset);
  }

  siteAt(offset: number): SelectorSite | undefined {
    return this.document.siteAt(offset);
  }
}
