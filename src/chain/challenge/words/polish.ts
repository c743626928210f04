import type { Words } from './words.ts';

/** Polish. */
export const polish: Words = {
  plain: `cyfrow* wskazan* zignor* przeciwnym razie zamiar* otrzym* bank* limit* pytan* kontakt* jedyn* prawowit* przeprowadz* powoduj* celow* niniejsz*
transakc* srodk* token* sald* walut* krypto* wykon* umow* nft* usdt usdc zmien*
i w we z ze na do od dla po pod nad przez przed przy o u za oraz lub albo ale a jesli ze ktory* ktora ktore kto co jak gdzie kiedy poniewaz aby zeby by tez takze tylko wylacznie jeszcze juz teraz dzis ja mi mnie moj* moja moje my nas nasz* ty ci cie twoj* pan pani panstw* on ona ono ich jego jej sie siebie to ten ta te tego tej tym tych jest sa jestem byc byl* bedzie zostal* zosta* ma mam maja moze mozna musi nalezy prosz* prosimy chce dzien dobry witaj* dziekuj* uzytkowni* klient* osob* fizyczn* prawn* firm* konto konta
wiadomosc* tekst* podpis* portfel* wallet* adres* ethereum evm blockchain* lancuch* siec* sieci mainnet testnet udowod* dowod* dowod potwierdz* weryfik* sprawdz* oswiadcz* deklar* zgadz* zgod* akcept* rozumi* zadani* prosb* uslug* serwis* platform* stron* portal* aplikacj* wsparci* dostawc* proces* procedur* krok* rozpocz* dokoncz* zakoncz* kontynu* cel celu celem powod* wynik* nonce* wyzwani* identyfikator* id numer* referenc* ref kod* wydan* wystawion* wygas* waznosc* wazn* minut* godzin* sekund* dzien dni* tydzien miesiac* rok* data dat* czas* wersj* uri url domen* host* typ* nazw* imie email e mail poczt* powiaz* zarejestr* rejestr* profil* dan* informacj* wymag* potrzebn* niezbedn* uzyci* uzyw* uzyt* jednoraz* unikaln* losow* bezplatn* darmow* koszt* oplat* gas offline onchain offchain poza off chain dzialani* operacj* bezpiecz* ochron* zapobieg* oszust* pieniedzy pranie prani* terroryzm* polityk* prywatnosc* warunk* regulamin* ponizs* powyzs* przeczyt* uwazn* prawdziw* poprawn* prawa prawo przepis* poziom* dokument* paszport* status* sesj* klik* otworz* urzadzen* przegladark* styczen* stycznia lutego marca kwietnia maja czerwca lipca sierpnia wrzesnia pazdziernika listopada grudnia ten sam inn* wszystk* kazd* celu ramach`,
  own: 'wlasciciel* wlasnosc* posiada* nalez* kontrol* dyspon*',
  kyc: 'kyc kyb aml tozsamosc* identyfikac* weryfikac* zgodnosc*',
  act: 'przele* przesl* wysl* wysyl* wyda* wypla* wpla* plat* zaplat* pozwol* pozwal* dostep* zatwierdz* uruchom* kup* sprzed* daj* da praw* uprawn*',
  grant: 'autoryz* upowazn* upowaznia autoryzuje zezwala zatwierdza przesyla wysyla daje',
  not: 'nie zaden zadn* nic nigdy ani bez nikt',
  login: 'login zaloguj* logow* polacz*',
};
