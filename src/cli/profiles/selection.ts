import type { Kind } from '../../contract/chains.ts';
import { kindOfProfile, type Profile, type ProfileSettings, UNNAMED } from './profile.ts';
import type { Project } from './project.ts';

/** A profile that is not selected but whose limits apply. */
export type ProfileLimits = { readonly name: string; readonly baseUrl: string } & Pick<
  Profile,
  'policy' | 'type_amount_above'
>;

/** A value and its source: an option, a variable, a file or a profile. */
export type SourcedValue<T> = { readonly value: T; readonly from: string };

type Common = {
  /** The settings of the profile, overlaid by those of the project file. */
  readonly settings: ProfileSettings;
  readonly project: Project | undefined;
  readonly stored: Profile;
  /** Further profiles whose limits apply. */
  readonly furtherLimits?: readonly ProfileLimits[];
  /** The further profiles for bytes that are signed without a service: the user's default profile always applies. */
  readonly offlineLimits?: readonly ProfileLimits[];
  /** Only a project file names the address, so that it gets no key of the user. */
  readonly isUnconfirmed?: boolean;
};

/** The service of a command, before anything is started, read or requested for it. */
export type Selection = Common &
  (
    | { readonly as: 'sandbox'; readonly profile: SourcedValue<string>; readonly key: 'own' | 'environment' }
    | {
        readonly as: 'named';
        readonly profile: SourcedValue<string>;
        readonly baseUrl: SourcedValue<string>;
        readonly key: 'environment' | 'stored' | 'none';
      }
    /** An address that has no profile. */
    | { readonly as: 'unnamed'; readonly baseUrl: SourcedValue<string>; readonly key: 'environment' | 'none' }
    /** No service. Commands that need none still work. */
    | { readonly as: 'nothing'; readonly why: 'not requested' | 'no address' }
  );

/** The limits of the further profiles that apply. `isOffline`: for bytes that are signed without a service. */
export const limitsBeside = (selection: Selection, isOffline = false): readonly ProfileLimits[] =>
  (isOffline ? selection.offlineLimits : undefined) ?? selection.furtherLimits ?? [];

/** The profile name of a selected service, as in results and questions. */
export const nameOf = (selection: Selection): string => ('profile' in selection ? selection.profile.value : UNNAMED);

/** The profile and the kind for a question about money. A profile of another kind is replaced by the kind. */
export const serviceOf = (selection: Selection, kind: Kind): { readonly profile: string; readonly kind: Kind } => ({
  profile: selection.as === 'named' || kindOf(selection) === kind ? nameOf(selection) : kind,
  kind,
});

/** Whether the selected service is for real money (`live`) or the sandbox. */
export const kindOf = (selection: Selection): Kind => kindOfProfile(nameOf(selection));
