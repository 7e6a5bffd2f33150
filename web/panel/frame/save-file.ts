const types = { csv: 'text/csv', json: 'application/json' } as const;

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string, type: keyof typeof types): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const parts = type === 'csv' ? ['\uFEFF', text] : [text];
  const address = URL.createObjectURL(new Blob(parts, { type: types[type] }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
