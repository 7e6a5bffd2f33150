import type { Calendar } from '../../../shared/calendar/calendar.js';

/** When a detail is made, and by which business days. */
export interface Moment {
  readonly now: Date;
  /** The civil date of `now`. */
  readonly today: string;
  readonly calendar: Calendar;
}
