/** What the token inspector asks: of a pasted text, or of fields as edited. */
import type { TokenFacts } from '../server/protocol/model';
import { failureOf } from './failures';
import type { PanelRpc } from './host';
import { Latest } from './latest';
import type { Store } from './store';
import type { TokenFields } from './tokenState';

export class Inspector {
  private readonly questions: Latest<TokenFields | string, TokenFacts>;

  constructor(
    private readonly store: Store,
    private readonly rpc: PanelRpc,
    delayMs: number,
  ) {
    this.questions = new Latest<TokenFields | string, TokenFacts>(
      delayMs,
      (question) => this.ask(question),
      (_, facts) => {
        store.dispatch({ type: 'tokenFacts', facts });
      },
      (error) => {
        store.dispatch({ type: 'tokenFailed', failure: failureOf(error) });
      },
    );
  }

  dispose(): void {
    this.questions.cancel();
  }

  /** Brings the inspector to the front, with this text. */
  inspect(text: string): void {
    this.store.dispatch({ type: 'tab', tab: 'token' });
    this.paste(text);
  }

  paste(text: string): void {
    this.store.dispatch({ type: 'tokenText', text });
    if (text.trim() === '') this.questions.cancel();
    else this.questions.request(text);
  }

  edit(fields: TokenFields): void {
    this.store.dispatch({ type: 'tokenEdited', fields });
    this.questions.request(fields);
  }

  /** The answer may be another by now: it is of a resource, a namespace and a connection. */
  askAgain(): void {
    const { text, edited } = this.store.state.token;
    if (edited) this.questions.request(edited);
    else if (text.trim() !== '') this.questions.request(text);
  }

  private ask(question: TokenFields | string): Promise<TokenFacts> {
    const { query, status } = this.store.state;
    const { resource, namespace } = query;
    if (typeof question !== 'string') {
      return this.rpc.call('encodeToken', { ...question, resource, namespace });
    }
    const askEtcd = status.state === 'connected';
    return this.rpc.call('decodeToken', { text: question, resource, namespace, askEtcd });
  }
}
