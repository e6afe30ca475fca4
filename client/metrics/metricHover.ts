import { Hover, languages, MarkdownString } from 'vscode';
import type {
  CancellationToken,
  Disposable,
  DocumentFilter,
  HoverProvider,
  Position,
  TextDocument,
} from 'vscode';
import { failureOf } from '../lsp/failure';
import type { LspCaller } from '../lsp/lspClient';
import { besideLine, familyLines, isFamilyLine, type FamilyLine } from './familyLines';

/** Files of metrics, whatever language VS Code takes them for. */
const FILES: readonly DocumentFilter[] = [{ pattern: '**/*.{prom,metrics}' }];

/** What is kept of the document that was hovered over last. */
interface Seen {
  readonly uri: string;
  readonly version: number;
  readonly lines: readonly FamilyLine[];
}

/** Says what a number in a scrape means. Lines of the same resource alone leave the extension host. */
class MetricHover implements HoverProvider {
  private seen: Seen | undefined;

  constructor(
    private readonly lsp: LspCaller,
    private readonly log: (text: string) => void,
  ) {}

  async provideHover(
    document: TextDocument,
    { line }: Position,
    token: CancellationToken,
  ): Promise<Hover | undefined> {
    const { text, range } = document.lineAt(line);
    if (!isFamilyLine(text)) return undefined;
    const beside = besideLine(this.linesOf(document), line);
    if (beside === undefined) return undefined;
    try {
      const told = await this.lsp.request('etcdList/hoverMetric', beside, token);
      if (told === null || token.isCancellationRequested) return undefined;
      return new Hover(new MarkdownString(told.markdown), range);
    } catch (error) {
      const { code, sentence } = failureOf(error);
      if (code !== 'cancelled') this.log(`A hover had no answer. ${sentence}`);
      return undefined;
    }
  }

  private linesOf(document: TextDocument): readonly FamilyLine[] {
    const [uri, { version }] = [document.uri.toString(), document];
    if (this.seen?.uri !== uri || this.seen.version !== version) {
      this.seen = { uri, version, lines: familyLines(document.getText()) };
    }
    return this.seen.lines;
  }
}

/** Hovers in files of metrics, and in documents of the languages that have hovers on tokens. */
export class MetricHovers {
  private readonly provider: MetricHover;
  private registration: Disposable | undefined;

  constructor(lsp: LspCaller, log: (text: string) => void) {
    this.provider = new MetricHover(lsp, log);
  }

  setLanguages(ids: readonly string[]): void {
    this.registration?.dispose();
    const selector = [...FILES, ...ids.map((language) => ({ language }))];
    this.registration = languages.registerHoverProvider(selector, this.provider);
  }

  dispose(): void {
    this.registration?.dispose();
  }
}
