// What the package uses of Node; the compiler has no declarations of it.

declare module 'node:fs' {
  export const constants: { readonly O_WRONLY: number; readonly O_CREAT: number; readonly O_EXCL: number };
  export function existsSync(path: string): boolean;
  export function readdirSync(path: string): string[];
  export function readFileSync(path: string | number | URL, encoding: 'utf8'): string;
}

declare module 'node:fs/promises' {
  interface Stats { readonly dev: number; readonly ino: number; readonly mode: number; isDirectory(): boolean }
  interface FileHandle { sync(): Promise<void>; close(): Promise<void> }
  export function link(from: string, to: string): Promise<void>;
  export function mkdir(path: string, options: { recursive: true }): Promise<string | undefined>;
  export function open(path: string, flags: number, mode: number): Promise<FileHandle>;
  export function readFile(path: string | URL): Promise<Uint8Array>;
  export function rename(from: string, to: string): Promise<void>;
  export function stat(path: string): Promise<Stats>;
  export function unlink(path: string): Promise<void>;
  export function writeFile(file: FileHandle, data: Uint8Array): Promise<void>;
}

declare module 'node:path' {
  export function basename(path: string, suffix?: string): string;
  export function dirname(path: string): string;
  export function extname(path: string): string;
  export function join(...parts: string[]): string;
}

declare const process: {
  readonly argv: string[];
  readonly pid: number;
  exitCode: number;
  readonly stderr: { write(text: string): void };
  readonly stdout: { write(data: string | Uint8Array, done?: (error?: Error | null) => void): void };
  readonly stdin: AsyncIterable<Uint8Array>;
};
