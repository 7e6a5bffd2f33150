import { nullable } from './fields.js';

export const ofSince = {
  since: nullable.text(
    '`cursor` of the last event that the caller has, or `eventCursor`. All later events are replayed first, in their order, without a gap or a repetition; what is not visible any more is left out. Valid for 7 days and 1,000 later events. When omitted, the stream begins with the next event. Errors: 400 for a text that is not such a cursor; 410 CURSOR_EXPIRED for one that is no longer valid: read the current state, and subscribe without it',
  ),
};

export const cursorDescription =
  'Identifies the event: pass that of the last event received as `since` to continue after it. Opaque';
