type Property<Name extends string> = Name extends `${infer Plain}::text` ? Plain : Name;
type Names<List extends string> = List extends `${infer First} ${infer Rest}`
  ? Property<First> | Names<Rest>
  : Property<List>;

/** The properties of a row that lists do not name, and the names in them that are no property. */
type Wrong<Row, Lists extends readonly string[]> =
  Exclude<keyof Row, Names<Lists[number]>> | Exclude<Names<Lists[number]>, keyof Row>;

/**
 * `operationId dueDate::text` becomes `"operation_id" AS "operationId", "due_date"::text AS "dueDate"`. Dates are text: the driver would parse them,
 * and `ORDER BY` then needs the table's name. It compiles only if the lists name every property of the row, and nothing else.
 */
export function columnsOf<Row extends object>() {
  return <const Lists extends readonly string[]>(
    ...lists: Lists & ([Wrong<Row, Lists>] extends [never] ? unknown : { readonly wrong: Wrong<Row, Lists> })
  ): string =>
    lists
      .flatMap((list) => list.split(' '))
      .map(columnOf)
      .join(', ');
}

function columnOf(name: string): string {
  const [property = '', ...cast] = name.split(/(?=::)/);
  const column = property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `"${column}"${cast.join('')} AS "${property}"`;
}
