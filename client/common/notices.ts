/** Notifications and questions. Every one goes through here, so that none of its text is a link. */
import { CancellationTokenSource, ProgressLocation, window } from 'vscode';
import type { CancellationToken } from 'vscode';
import { noticeText } from './noticeText';

/** Each resolves with the action that was chosen; undefined when the notification was closed. */
export async function showInformation(
  text: string,
  ...actions: readonly string[]
): Promise<string | undefined> {
  return window.showInformationMessage(noticeText(text), ...actions);
}

export async function showWarning(
  text: string,
  ...actions: readonly string[]
): Promise<string | undefined> {
  return window.showWarningMessage(noticeText(text), ...actions);
}

export async function showError(
  text: string,
  ...actions: readonly string[]
): Promise<string | undefined> {
  return window.showErrorMessage(noticeText(text), ...actions);
}

/** Keeps everything else waiting until it is answered. */
export async function confirmed(text: string, yes: string): Promise<boolean> {
  return (await window.showWarningMessage(noticeText(text), { modal: true }, yes)) === yes;
}

/** Something that runs, as it is shown to a person, who may stop it. */
export interface Shown {
  readonly token: CancellationToken;
  readonly report: (text: string) => void;
}

/** Shown until the work ends. */
export function showProgress<T>(title: string, work: (shown: Shown) => Promise<T>): PromiseLike<T> {
  const location = ProgressLocation.Notification;
  return window.withProgress(
    { location, title: noticeText(title), cancellable: true },
    (progress, token) =>
      work({
        token,
        report: (text) => {
          progress.report({ message: noticeText(text) });
        },
      }),
  );
}

/** Shown until the work ends. Its token is cancelled by the person in the notification, or with `outer`. */
export async function whileStoppable<T>(
  title: string,
  work: (token: CancellationToken) => Promise<T>,
  outer?: CancellationToken,
): Promise<T> {
  const source = new CancellationTokenSource();
  const cancel = (): void => {
    source.cancel();
  };
  const above = outer?.onCancellationRequested(cancel);
  try {
    return await showProgress(title, ({ token }) => {
      token.onCancellationRequested(cancel);
      return work(source.token);
    });
  } finally {
    above?.dispose();
    source.dispose();
  }
}

/** Said in the status bar until the work ends, where that takes longer than a moment. */
export async function whileBusy<T>(title: string, work: () => Promise<T>): Promise<T> {
  return window.withProgress({ location: ProgressLocation.Window, title: noticeText(title) }, work);
}

export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly value?: string;
  readonly placeHolder?: string;
  readonly password?: boolean;
  /** A sentence about what is wrong with the text; undefined for nothing. */
  readonly problem?: (text: string) => string | undefined;
}

/** One line of text. It stays open when another window is looked at; undefined when it was closed. */
export async function askText({ problem, prompt, ...rest }: Question): Promise<string | undefined> {
  const validateInput = (text: string): string | undefined => {
    const found = problem?.(text);
    return found === undefined ? undefined : noticeText(found);
  };
  return window.showInputBox({
    ...rest,
    prompt: noticeText(prompt),
    ignoreFocusOut: true,
    validateInput,
  });
}
