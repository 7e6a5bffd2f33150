// Prints the frozen table of national bank holidays as a migration, from date-holidays (BR, types public and bank).
// Run it by hand for a new version of the table: node scripts/holidays.mjs 1 2000 2078 > shared/database/migrations/NNNN-holidays.sql
// Election days are left out: they are always Sundays.
import Holidays from 'date-holidays';

const [version = '1', from = '2000', to = '2078'] = process.argv.slice(2);
const source = new Holidays('BR');
const days = new Map();
for (let year = Number(from); year <= Number(to); year++) {
  for (const { date, name, type, rule } of source.getHolidays(year)) {
    const day = date.slice(0, 10);
    if ((type === 'public' || type === 'bank') && !/sunday/.test(rule) && !days.has(day)) days.set(day, name);
  }
}
const rows = [...days]
  .sort(([a], [b]) => (a < b ? -1 : 1))
  .map(([day, name]) => `  ('${day}', '${name.replaceAll("'", "''")}', ${version})`);
process.stdout.write(
  `-- National bank holidays, ${from} to ${to}, version ${version} of the table. Made by scripts/holidays.mjs; frozen.\n`,
);
process.stdout.write(`INSERT INTO shared.holidays (day, name, version) VALUES\n${rows.join(',\n')};\n`);
