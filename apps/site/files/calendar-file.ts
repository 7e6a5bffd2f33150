import type { FileContent } from '../page.js';

export interface CalendarEvent {
  /** Unique for ever, and the same in each download: programs that subscribe replace the event. */
  readonly id: string;
  readonly day: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  /** `TENTATIVE` where its day or amount may still change. */
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
}

/** Returns events of whole days as an iCalendar file (RFC 5545). @param stamp when the data was last changed, ISO */
export function calendarFile(name: string, stamp: string, events: readonly CalendarEvent[]): FileContent {
  const at = `${stamp.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Lastro//Public pages//PT',
    `X-WR-CALNAME:${calendarText(name)}`,
    ...events.flatMap(({ id, day, title, description, url, status }) => [
      'BEGIN:VEVENT',
      `UID:${calendarText(id)}`,
      `DTSTAMP:${at}`,
      `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
      `SUMMARY:${calendarText(title)}`,
      `DESCRIPTION:${calendarText(description)}`,
      `URL:${url}`,
      `STATUS:${status}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return {
    type: 'text/calendar; charset=utf-8',
    fileName: `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '-')}.ics`,
    bytes: lines.map(folded).join(''),
  };
}

/** Returns a text as a value: separators are escaped, and control characters are left out. */
function calendarText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, (one) => `\\${one}`)
    .replaceAll(/\r\n|\r|\n/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');
}

const mostBytes = 75;

/** Returns a line of at most 75 bytes, and its rest in lines that begin with a space; no character is cut in two. */
export function folded(line: string): string {
  let [text, bytes] = ['', 0];
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > mostBytes) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return `${text}\r\n`;
}
