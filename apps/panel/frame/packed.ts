/** Returns a file, compressed as it is sent. */
export async function packed(file: Blob): Promise<Blob> {
  return new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}
