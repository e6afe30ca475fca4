import { OBJECT_TOPICS } from './objectTopics';
import { REQUEST_TOPICS } from './requestTopics';
import { TEXT_TOPICS } from './textTopics';
import type { LanguageTopic } from './topic';

export const LANGUAGE_TOPICS: readonly LanguageTopic[] = [
  ...TEXT_TOPICS,
  ...OBJECT_TOPICS,
  ...REQUEST_TOPICS,
];
