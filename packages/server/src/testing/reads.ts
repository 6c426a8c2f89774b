/** Entry point for proofs and benchmarks: the SQL and text rendering of reads, for bare routes to compare with. The service does not import this. */
export { printColumns } from '../http/wire/daily-text.ts';
export { streamTimeseries } from '../http/wire/timeseries-text.ts';
export { readDaily } from '../services/daily/read-daily.ts';
export { pack, unpack } from '../services/layers/packing.ts';
export { selectPrinted } from '../store/reads/daily.ts';
export { type ChunkKey, readTimeseriesChunks } from '../store/reads/timeseries.ts';
