/** Which language a document is in, told by its name and the editor's word for it. */
import { QueryFile } from './query/queryFile';
import { YamlQueryFile } from './query/yamlQueryFile';
import type { QueryDocument } from './query/model';
import type { KnownCustomResource, QueryFileOptions } from './query/options';
import type { Analysis, Checkpoint, CompletionSpot, LanguageFile, SelectorSite } from './model';
import type { Fix } from './findings';
import { YamlFile } from './yaml/yamlFile';

export interface GivenDocument {
  /** A path or URI; its end is what counts. */
  readonly uri: string;
  /** The editor's; empty where there is none. */
  readonly languageId: string;
  readonly text: string;
}

type Kind = 'queries' | 'yamlQueries' | 'manifest';

/** Undefined for what is neither a manifest nor queries. `customResources` is asked whenever queries are read. */
export function openDocument(
  document: GivenDocument,
  checkpoint: Checkpoint = () => undefined,
  customResources: () => readonly KnownCustomResource[] = () => [],
): LanguageFile | undefined {
  const kind = kindOf(document);
  if (kind === undefined) return undefined;
  const { text, uri } = document;
  if (kind === 'manifest') return new YamlFile(text, { fileName: baseName(uri), checkpoint });
  const Read = kind === 'queries' ? QueryFile : YamlQueryFile;
  return new QueriesFile(
    (changed) => new Read(changed, { checkpoint, customResources: customResources() }),
    text,
  );
}

/** The queries of a document that is to be run: whatever its name says, it is no manifest. */
export function openQueries(
  { uri, text }: Omit<GivenDocument, 'languageId'>,
  options: QueryFileOptions,
): QueryDocument {
  const name = baseName(uri);
  const isYaml = QUERIES.test(name) ? false : YAML.test(name) || beginsAsYaml(text);
  return isYaml ? new YamlQueryFile(text, options) : new QueryFile(text, options);
}

const YAML = /\.(?:ya?ml|json)$/i;

/** Its first line that is no comment is a mark, a member or the start of an object. */
function beginsAsYaml(text: string): boolean {
  return /^(?:---|%YAML|\{(?!\{)|["']?[A-Za-z]+["']?[ \t]*:(?:\s|$))/.test(firstContent(text));
}

/** What stands at the first character that is neither a blank nor in a comment. */
function firstContent(text: string): string {
  let at = 0;
  for (;;) {
    const rest = /\S/g;
    rest.lastIndex = at;
    const start = rest.exec(text)?.index;
    if (start === undefined) return '';
    if (text.charAt(start) !== '#') return text.slice(start, start + FIRST_WORDS);
    const end = text.indexOf('\n', start);
    if (end < 0) return '';
    at = end;
  }
}

/** Characters that tell what a text begins with. */
const FIRST_WORDS = 200;

const QUERIES = /\.etcdlist$/i;
const YAML_QUERIES = /\.etcdlist\.ya?ml$/i;
/** As an editor calls them; `helm` is the templates' in extensions of others. */
const MANIFEST_LANGUAGES: ReadonlySet<string> = new Set(['yaml', 'helm', 'json', 'jsonc']);
const MANIFEST = /\.(?:ya?ml|json|tpl)$/i;

function kindOf({ uri, languageId, text }: GivenDocument): Kind | undefined {
  const name = baseName(uri);
  if (YAML_QUERIES.test(name)) return 'yamlQueries';
  if (languageId === 'etcdlist' || QUERIES.test(name)) return 'queries';
  if (MANIFEST_LANGUAGES.has(languageId) || MANIFEST.test(name)) return 'manifest';
  if (languageId !== '') return undefined;
  return /^(?:kubectl|GET|list)\s/.test(firstContent(text)) ? 'queries' : 'manifest';
}

function baseName(uri: string): string {
  return uri.slice(uri.lastIndexOf('/') + 1);
}

/** Queries are few and short: all of a changed file is read again, once something is asked of it. */
class QueriesFile implements LanguageFile {
  private document: QueryDocument | undefined;

  constructor(
    private readonly read: (text: string) => QueryDocument,
    private text: string,
  ) {}

  get queries(): QueryDocument {
    return (this.document ??= this.read(this.text));
  }

  update(text: string): void {
    this.text = text;
    this.readAgain();
  }

  readAgain(): void {
    this.document = undefined;
  }

  analysis(): Analysis {
    return this.queries.analysis();
  }

  spotAt(offset: number): CompletionSpot | undefined {
    return this.queries.spotAt(offset);
  }

  siteAt(offset: number): SelectorSite | undefined {
    return this.queries.siteAt(offset);
  }

  actionsAt(offset: number): readonly Fix[] {
    return this.queries.actionsAt(offset);
  }
}
