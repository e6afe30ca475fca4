import { Hover, languages, MarkdownString, Range } from 'vscode';
import type {
  CancellationToken,
  Disposable,
  DocumentFilter,
  HoverProvider,
  Position,
  TextDocument,
} from 'vscode';
import { hoverCommands, serverLanguages } from '../../server/protocol/names';
import type { HoverToken } from '../../server/protocol/model';
import { failureOf } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { candidateAt, type Candidate } from './candidate';

/** The language server, and whether it answers by itself. */
export interface HoverSource extends LspCaller {
  readonly isRunning: boolean;
}

/**
 * Explains the continue token under the pointer. Only its line leaves the extension host. Documents
 * that a running language server holds are left to the server's own hovers.
 */
class TokenHover implements HoverProvider {
  constructor(
    private readonly lsp: HoverSource,
    private readonly log: (text: string) => void,
  ) {}

  async provideHover(
    document: TextDocument,
    position: Position,
    token: CancellationToken,
  ): Promise<Hover | undefined> {
    if (this.lsp.isRunning && serverLanguages.includes(document.languageId)) return undefined;
    const candidate = candidateIn(document, position);
    if (!candidate) return undefined;
    const { line, character, offset } = candidate;
    try {
      const found = await this.lsp.request('etcdList/hoverToken', { line, character }, token);
      if (!found || token.isCancellationRequested) return undefined;
      return new Hover(trusted(found.markdown), rangeOf(found, position.line, offset));
    } catch (error) {
      const { code, sentence } = failureOf(error);
      if (code !== 'cancelled') this.log(`A hover had no answer. ${sentence}`);
      return undefined;
    }
  }
}

function trusted(markdown: string): MarkdownString {
  const text = new MarkdownString(markdown);
  text.isTrusted = { enabledCommands: [...hoverCommands] };
  return text;
}

function rangeOf({ start, end }: HoverToken, line: number, offset: number): Range {
  return new Range(line, offset + start, line, offset + end);
}

function candidateIn(document: TextDocument, position: Position): Candidate | undefined {
  return candidateAt(document.lineAt(position).text, position.character);
}

function selectorOf(ids: readonly string[]): DocumentFilter[] {
  return ids.map((language) => ({ language }));
}

/** Hovers in the documents of some languages, `*` for all, which may change while VS Code runs. */
export class TokenHovers {
  private registration: Disposable | undefined;
  private registered = '';
  private ids: readonly string[] = [];
  private readonly provider: TokenHover;

  constructor(
    private readonly lsp: HoverSource,
    log: (text: string) => void,
  ) {
    this.provider = new TokenHover(lsp, log);
  }

  setLanguages(ids: readonly string[]): void {
    const wanted = JSON.stringify(ids);
    if (wanted === this.registered) return;
    this.registration?.dispose();
    this.registered = wanted;
    this.ids = ids;
    this.registration =
      ids.length === 0
        ? undefined
        : languages.registerHoverProvider(selectorOf(ids), this.provider);
  }

  /** Whether the language server is to be asked about a place in a document that it holds. */
  asksServer(document: TextDocument, position: Position): boolean {
    if (!this.lsp.isRunning) return false;
    return candidateIn(document, position) === undefined
      ? serverLanguages.includes(document.languageId)
      : languages.match(selectorOf(this.ids), document) !== 0;
  }

  dispose(): void {
    this.registration?.dispose();
  }
}
