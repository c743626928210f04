import type { Kind } from '../../contract/chains.ts';
import { kindOfProfile, type Profile, type ProfileSettings, UNNAMED } from './profile.ts';
import type { Project } from './project.ts';

/** A profile that is not in use, and whose limits hold all the same. */
export type ProfileLimits = { readonly name: string; readonly baseUrl: string } & Pick<
  Profile,
  'policy' | 'type_amount_above'
>;

/** A value and what said it: an option, a variable, a file, a profile. */
export type SourcedValue<T> = { readonly value: T; readonly from: string };

type Common = {
  /** What the project file and the profile say together. */
  readonly settings: ProfileSettings;
  readonly project: Project | undefined;
  readonly stored: Profile;
  /** Profiles whose limits hold beside those of this one. */
  readonly furtherLimits?: readonly ProfileLimits[];
  /** The same for bytes that are signed without a service: the user's default profile holds whichever was named. */
  readonly offlineLimits?: readonly ProfileLimits[];
  /** Only a project file names the address: no key of the user goes there. */
  readonly isUnconfirmed?: boolean;
};

/** The service that a command is about, before anything is started, read or asked for it. */
export type Selection = Common &
  (
    | { readonly as: 'sandbox'; readonly profile: SourcedValue<string>; readonly key: 'own' | 'environment' }
    | {
        readonly as: 'named';
        readonly profile: SourcedValue<string>;
        readonly baseUrl: SourcedValue<string>;
        readonly key: 'environment' | 'stored' | 'none';
      }
    /** An address without a profile. */
    | { readonly as: 'unnamed'; readonly baseUrl: SourcedValue<string>; readonly key: 'environment' | 'none' }
    /** No service; what needs none works all the same. */
    | { readonly as: 'nothing'; readonly why: 'not asked for' | 'no address' }
  );

/** The limits of profiles that hold beside the profile in use. */
export const limitsBeside = (selection: Selection, isOffline = false): readonly ProfileLimits[] =>
  (isOffline ? selection.offlineLimits : undefined) ?? selection.furtherLimits ?? [];

/** The name that results and questions give a selected service. */
export const nameOf = (selection: Selection): string => ('profile' in selection ? selection.profile.value : UNNAMED);

/** The profile in use beside the kind that something is of, as a question about money names them. */
export const serviceOf = (selection: Selection, kind: Kind): { readonly profile: string; readonly kind: Kind } => ({
  profile: selection.as === 'named' || kindOf(selection) === kind ? nameOf(selection) : kind,
  kind,
});

/** Whether real money is behind what was selected. */
export const kindOf = (selection: Selection): Kind => kindOfProfile(nameOf(selection));
