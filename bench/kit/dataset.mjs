import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';

/** Input for the importer in the documented form, the same at every run except for the day on which it ends. */

const types = ['CR', 'CRI', 'CRA', 'DEB'];
const indexers = ['CDI', 'IPCA', 'PREFIXED'];
const seriesPerOperation = 2;

/** Writes operations with two series each, and 60 days of unit prices of each series. @returns the files to import */
export async function writeOperations(folder, count) {
  const today = new Date().toISOString().slice(0, 10);
  const operations = Array.from({ length: count }, (_, index) => operation(index + 1));
  const prices = operations.flatMap(({ series }) => series).flatMap((series, index) => pricesOf(series, index, today));
  return [
    await write(join(folder, 'operations.json'), [JSON.stringify({ operations })]),
    await write(join(folder, 'unit-prices.csv'), ['trancheTicker;date;value\n', ...prices]),
  ];
}

function operation(number) {
  const type = types[number % types.length];
  const name = `BENCH-${String(number).padStart(6, '0')}`;
  return {
    ticker: name,
    slug: name.toLowerCase(),
    type,
    public: true,
    status: 'Em andamento',
    name: `${type} Carteira ${number}`,
    sub: `${number}ª emissão, ${seriesPerOperation} séries`,
    href: `/emissoes/${name.toLowerCase()}`,
    chips: ['Pulverizado', 'Garantia real'],
    emissionNumber: `${number}ª`,
    emissionDate: '2024-01-15',
    maturityDate: '2034-01-16',
    issuer: 'Lastro Securitizadora S.A.',
    issuerCnpj: '11.222.333/0001-81',
    series: Array.from({ length: seriesPerOperation }, (_, index) => series(name, number, index + 1)),
  };
}

function series(operationName, operationNumber, number) {
  return {
    number,
    ticker: `${operationName}-S${number}`,
    class: number === 1 ? 'SENIOR' : 'JUNIOR',
    status: 'Ativa',
    indexer: indexers[operationNumber % indexers.length],
    rate: `${3 + number}.5`,
    issueDate: '2024-01-15',
    maturityDate: '2034-01-16',
    unitValue: '1000.00',
    quantity: 1000 * (1 + (operationNumber % 97)),
  };
}

function pricesOf({ ticker }, index, today) {
  return Array.from({ length: 60 }, (_, day) => {
    const value = 1000 + (index % 100) + (60 - day) * 0.4321;
    return `${ticker};${dayBefore(today, day + 1)};${value.toFixed(8)}\n`;
  });
}

function dayBefore(today, days) {
  return new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
}

async function write(file, parts) {
  const stream = createWriteStream(file);
  for (const part of parts) if (!stream.write(part)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
  return file;
}
