import type { Calendar } from '../../../shared/calendar/calendar.js';

/** Time at which a detail is generated, with its calendar. */
export interface Moment {
  readonly now: Date;
  /** The civil date of `now`. */
  readonly today: string;
  readonly calendar: Calendar;
}
