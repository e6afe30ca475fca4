/** What is said of a text that holds nothing about lists. */
import type { Scrape } from './model';

/** As the end of a sentence that begins with the text's name; undefined where there is something. */
export function nothingIn({ servers, others, faultCount, lines }: Scrape): string | undefined {
  if (servers.length > 0) return undefined;
  if (others > 0) {
    return 'holds metrics, and none of lists of an API server: give what "kubectl get --raw /metrics" prints';
  }
  if (lines === 0) return 'is empty: give what "kubectl get --raw /metrics" prints';
  const what = faultCount > 0 ? 'is no text of metrics' : 'holds no metrics';
  return `${what}: give what "kubectl get --raw /metrics" prints`;
}
