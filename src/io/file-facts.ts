/** What a file is, besides its content. */
export type FileFacts = {
  readonly mode: number;
  readonly isFile: boolean;
  readonly isSymlink: boolean;
  readonly isFolder: boolean;
  readonly size: number;
  readonly modifiedAt: number;
};

/** "Private": a file is 0600 and its folder 0700, whatever the umask. "Durable": synced before it resolves. */
export type Files = {
  /** `undefined` when there is none. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
  /**
   * What the user named, a pipe or device too; `undefined` when there is none. Throws `unreadable_file` above
   * `mostBytes`, for such a thing may have no end.
   */
  readonly readGiven: (path: string, mostBytes: number) => Promise<Uint8Array | undefined>;
  readonly facts: (path: string) => Promise<FileFacts | undefined>;
  /** As `facts`, of what a symbolic link points to in the end. */
  readonly targetFacts: (path: string) => Promise<FileFacts | undefined>;
  /** Names in a folder, sorted; none when there is no folder. */
  readonly list: (folder: string) => Promise<readonly string[]>;
  readonly makePrivateFolder: (path: string) => Promise<void>;
  /** Takes a file away from everybody but its owner. */
  readonly makePrivate: (path: string) => Promise<void>;
  /** Private and durable. `false`, and nothing written, when the path exists. */
  readonly createPrivate: (path: string, bytes: Uint8Array | string) => Promise<boolean>;
  /**
   * As `createPrivate`, straight into a folder of the user's, which must be there. Throws `unwritable_file`.
   */
  readonly createNew: (path: string, bytes: Uint8Array | string) => Promise<boolean>;
  /** Private, durable, atomic: after a crash the old file or the new one is there, whole. */
  readonly replacePrivate: (path: string, bytes: Uint8Array | string) => Promise<void>;
  /** Appends to a private file and syncs it; creates it, and syncs its folder, when it is not there. */
  readonly appendDurably: (path: string, text: string) => Promise<void>;
  /** Cuts a file off after so many bytes, durably: what a crash left half written. */
  readonly cut: (path: string, size: number) => Promise<void>;
  /** Takes everything out of a file; whoever appends to it goes on at its beginning. Nothing when there is none. */
  readonly empty: (path: string) => Promise<void>;
  /** Removes a file; nothing when there is none. */
  readonly remove: (path: string) => Promise<void>;
  /** Removes a folder and all in it; nothing when there is none. */
  readonly removeFolder: (path: string) => Promise<void>;
};
