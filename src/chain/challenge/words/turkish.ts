import type { Words } from './words.ts';

/** Turkish, with i for its letter without a dot. */
export const turkish: Words = {
  plain: `dijital belirtilen dikkate almayin aksi takdirde istiyorum niyet* al* banka* limit* soru* tek yasal gerceklestir* neden olmaz
islem* fon* varlik* token* bakiye* kripto* baslat* calistir* sozlesme* nft* usdt usdc degistir*
bir bu su o ve veya ya da de ile icin gibi kadar sonra once ama ancak eger ki ne kim nasil nerede zaman cunku sadece yalnizca henuz simdi bugun ben beni bana benim biz bizim siz sizin size sen senin sana onun lutfen merhaba hos geldiniz hosgeldiniz tesekkur* sayin kullanici* musteri* kisi* sirket* hesap hesab* mesaj* metin* metn* imza* cuzdan* adres* ethereum evm blokzincir* blockchain* zincir* ag agi aginda mainnet testnet kanit* ispat* dogrula* onayla* teyit* beyan* kabul* anla* iste* istek* talep* hizmet* servis* platform* site* sayfa* uygulama* destek* saglayici* surec* islemi adim* basla* tamamla* devam* amac* neden* sonuc* nonce* kimligi numara* referans* kod* verilis* duzenlen* tarih* saat* dakika* saniye* gun* hafta* ay yil* gecerli* sona erme* bitis* son suresi sure* surum* uri url alan adi alani tur* isim* e posta eposta bagla* kayit* kayitli profil* bilgi* veri* gerek* kullan* tek seferlik benzersiz rastgele ucretsiz* ucret* maliyet* gas zincirdisi disi guvenli* koru* onle* dolandirici* kara para aklama* teror* politika* gizlilik* sart* kosul* asagida* yukari* oku* dikkat* dogru* yasa* kanun* duzey* seviye* belge* pasaport* durum* oturum* tikla* ac tarayici* ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim aralik ayni diger* tum her et etmek ediyorum ederim edin ediniz eder olarak olan oldugu* oldugumu oldugunuzu olur olacak olmasi var`,
  own: 'sahip* sahib* ait aittir kontrol* mulkiyet* benimdir sizindir',
  kyc: 'kyc kyb aml kimlik* kimlig* dogrulama* uyum*',
  act: 'transfer* gonder* para* harca* tasi* cek* yatir* ode* izin* hak* onay* erisim* yetki* yetkilendir* satin sat* ver* emir*',
  grant: 'yetkilendirir verir onaylar gonderir izin',
  not: 'degil degildir hic hicbir yok yoktur olmadan olmaz olmayacak etmez etmeyecek vermez vermeyecek gondermez gerektirmez tetiklemez baslatmaz asla icermez',
  login: 'giris* baglan*',
};
