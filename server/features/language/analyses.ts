/** What was found in the documents that are open, each version looked at once. */
import type { Analysis } from '../../language/model';
import type { Analyst, HeldDocument, Unanswered } from './analyst';

export type Looked =
  | { readonly done: true; readonly analysis: Analysis }
  | { readonly done: false; readonly why: Unanswered };

export class Analyses {
  private readonly byUri = new Map<
    string,
    { readonly version: number; readonly looked: Promise<Looked> }
  >();

  constructor(private readonly analyst: Analyst) {}

  /** Never rejects. */
  of(document: HeldDocument): Promise<Looked> {
    const { uri, version } = document;
    const known = this.byUri.get(uri);
    if (known?.version === version) return known.looked;
    const looked = this.look(document);
    this.byUri.set(uri, { version, looked });
    return looked;
  }

  /** What is known beside the documents is other now: each is looked at again. */
  again(): void {
    this.byUri.clear();
  }

  forget(uri: string): void {
    this.byUri.delete(uri);
    this.analyst.forget(uri);
  }

  private async look(document: HeldDocument): Promise<Looked> {
    const answer = await this.analyst.ask(document, 'analysis', null);
    return answer.answered
      ? { done: true, analysis: answer.value }
      : { done: false, why: answer.why };
  }
}
