// Declarations that browsers have but the compiler's DOM lacks. Each follows the named standard; what some
// browsers lack is optional.

// Element Internals, custom states (HTML Standard); older browsers don't have them.
interface CustomStateSet extends Set<string> {}
interface ElementInternals {
  role: string | null;
  readonly states?: CustomStateSet;
}

// Canvas 2D: roundRect (HTML Standard).
interface CanvasPath {
  roundRect(x: number, y: number, w: number, h: number, radii?: number | DOMPointInit): void;
}

// OffscreenCanvas (HTML Standard); older browsers don't have it. Newer compilers do: interfaces and an equal variable
// add nothing there.
interface OffscreenCanvasRenderingContext2D extends CanvasDrawImage, CanvasImageData {}
interface OffscreenCanvas extends EventTarget {
  width: number;
  height: number;
  getContext(type: '2d', options?: CanvasRenderingContext2DSettings): OffscreenCanvasRenderingContext2D | null;
}
declare var OffscreenCanvas: {
  prototype: OffscreenCanvas;
  new(width: number, height: number): OffscreenCanvas;
};

// createImageBitmap: `from-image` is the name of the default since 2021 (HTML Standard).
interface FromImageOptions extends Omit<ImageBitmapOptions, 'imageOrientation'> {
  imageOrientation: 'from-image';
}
declare function createImageBitmap(
  image: ImageBitmapSource, options: FromImageOptions,
): Promise<ImageBitmap>;

// Trackpad pinches as WebKit reports them.
interface WebKitGestureEvent extends UIEvent {
  readonly scale: number;
  readonly clientX: number;
  readonly clientY: number;
}

// Files and folders (File System Access).
interface WritableFile extends WritableStream {
  write(data: Blob): Promise<void>;
}
interface FileHandle {
  createWritable(): Promise<WritableFile>;
}
interface FolderHandle {
  getFileHandle(name: string, options?: { create: boolean }): Promise<FileHandle>;
}
interface Window {
  showDirectoryPicker?(options: { mode: 'readwrite'; id: string }): Promise<FolderHandle>;
  showSaveFilePicker?(options: { suggestedName: string }): Promise<FileHandle>;
}

// Installing a page (Web App Manifest).
interface InstallOffer extends Event {
  prompt(): Promise<unknown>;
}
interface WindowEventMap {
  beforeinstallprompt: InstallOffer;
  // The compiler only declares these for documents.
  dragenter: DragEvent;
  dragleave: DragEvent;
  dragover: DragEvent;
  drop: DragEvent;
}

// Files that the system opens with an installed page (Launch Handler).
interface LaunchQueue {
  setConsumer(take: (launch: {
    readonly files: readonly { getFile(): Promise<File> }[];
  }) => void): void;
}
interface Window {
  readonly launchQueue?: LaunchQueue;
}

// Photos and flash of cameras (MediaStream Image Capture).
type FillLight = 'auto' | 'off' | 'flash';
interface PhotoCapabilities {
  readonly fillLightMode?: readonly FillLight[];
  readonly imageWidth?: { readonly max: number };
  readonly imageHeight?: { readonly max: number };
}
interface PhotoSettings {
  fillLightMode?: FillLight;
  imageWidth?: number;
  imageHeight?: number;
}
interface ImageCapture {
  getPhotoCapabilities(): Promise<PhotoCapabilities>;
  takePhoto(settings?: PhotoSettings): Promise<Blob>;
}
interface Window {
  ImageCapture?: { new (track: MediaStreamTrack): ImageCapture };
}
interface MediaTrackCapabilities {
  torch?: boolean;
  pointsOfInterest?: unknown;
  focusMode?: string[];
  exposureMode?: string[];
}
interface MediaTrackSupportedConstraints {
  pointsOfInterest?: boolean;
}
interface MediaTrackConstraintSet {
  torch?: boolean;
  pointsOfInterest?: { x: number; y: number }[];
  focusMode?: string;
  exposureMode?: string;
}

// The events of a service worker (Service Workers); the compiler only declares them without the DOM.
interface LifecycleEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface InstallEvent extends LifecycleEvent {
  addRoutes?(rule: {
    condition: { urlPattern: { pathname: string } }; source: 'network';
  }): Promise<void>;
}
interface RequestEvent extends LifecycleEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface PageKeeper {
  readonly location: Location;
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install', listener: (event: InstallEvent) => void): void;
  addEventListener(type: 'activate', listener: (event: LifecycleEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: RequestEvent) => void): void;
  /** Set by files.js. */
  readonly cropkitPage: {
    readonly version: string;
    readonly files: readonly string[];
    readonly languages: Readonly<Record<string, readonly string[]>>;
  };
}
declare function importScripts(...urls: string[]): void;

// The bytes of a module that a bundler has included in the script.
declare module '*.wasm' {
  const bytes: Uint8Array;
  export default bytes;
}
