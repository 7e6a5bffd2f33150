const types = {
  csv: 'text/csv',
  json: 'application/json',
  jsonl: 'application/x-ndjson',
  pem: 'application/x-pem-file',
  txt: 'text/plain',
} as const;

export function saveDownload(file: {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: string;
}) {
  const bytes = Uint8Array.from(atob(file.content), (character) => character.charCodeAt(0));
  save(file.fileName, [bytes], file.mediaType);
}

export function saveFile(name: string, text: string | readonly string[], type: keyof typeof types): void {
  save(name, typeof text === 'string' ? [text] : text, types[type]);
}

function save(name: string, parts: readonly BlobPart[], type: string): void {
  // The mark tells spreadsheets that the text is UTF-8.
  const mark = type.startsWith('text/csv') ? ['\uFEFF'] : [];
  const address = URL.createObjectURL(new Blob([...mark, ...parts], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
