import type { Page } from 'playwright-core';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Where the middle of `text` is drawn in the active editor; undefined when no drawn line holds it.
 * An editor splits a line into spans and draws blanks as no-break spaces.
 */
export async function middleOf(page: Page, text: string): Promise<Point | undefined> {
  return await page
    .locator('.editor-instance')
    .first()
    .evaluate((editor, wanted) => {
      const plain = (value: string): string => value.replaceAll('\u00a0', ' ');
      const place = (line: Element, offset: number): [Node, number] => {
        const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
        let left = offset;
        for (let node = walker.nextNode(); node; node = walker.nextNode()) {
          const length = node.textContent?.length ?? 0;
          if (left <= length) return [node, left];
          left -= length;
        }
        throw new Error('the offset lies behind the line');
      };
      for (const line of editor.querySelectorAll('.view-line')) {
        const start = plain(line.textContent).indexOf(wanted);
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(...place(line, start));
        range.setEnd(...place(line, start + wanted.length));
        const { left, width, top, height } = range.getBoundingClientRect();
        return { x: left + Math.min(width / 2, 200), y: top + height / 2 };
      }
      return undefined;
    }, text);
}
