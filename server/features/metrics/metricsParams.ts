import {
  LONGEST_HOVER_LINE,
  LONGEST_PART,
  METRIC_SORTS,
  MOST_HOVER_LINES,
  type HoverMetricParams,
  type ReadMetricsParams,
  type ScrapePart,
  type ScrapeSource,
} from '../../protocol/metrics';
import { InvalidParamsError } from '../failures';
import { Params } from '../params';

const LONGEST_PATH = 8192;
const MOST_SOURCES = 16;

export function readScrapePart(value: unknown): ScrapePart {
  const params = new Params(value);
  return {
    scrape: params.text('scrape', 200),
    name: params.text('name', LONGEST_PATH),
    text: params.text('text', LONGEST_PART),
    first: params.flag('first'),
  };
}

export function readMetricsParams(value: unknown): ReadMetricsParams {
  const params = new Params(value);
  const newer = params.objects('newer', MOST_SOURCES).map(readSource);
  if (newer.length === 0) throw new InvalidParamsError('"newer" of the parameters is empty.');
  return {
    newer,
    older: params.objects('older', MOST_SOURCES).map(readSource),
    sort: params.oneOf('sort', METRIC_SORTS),
    byServer: params.flag('byServer'),
  };
}

function readSource(source: Params): ScrapeSource {
  const kind = source.oneOf('kind', ['file', 'parts']);
  return kind === 'file'
    ? { kind, path: source.text('path', LONGEST_PATH) }
    : { kind, scrape: source.text('scrape', 200) };
}

export function readHoverMetric(value: unknown): HoverMetricParams {
  const params = new Params(value);
  const lines = params.texts('lines', MOST_HOVER_LINES);
  if (lines.some((line) => line.length > LONGEST_HOVER_LINE)) {
    throw new InvalidParamsError('A line of the parameters is too long.');
  }
  return { lines, index: params.whole('index', 0, MOST_HOVER_LINES) };
}
