import type { Words } from './words.ts';

/** Chinese, in both writings. Written without spaces: a sentence has to be made of these words alone. */
export const chinese: Words = {
  plain: `交易 资金 資金 资产 資產 代币 代幣 余额 餘額 付款 存款 执行 執行 触发 觸發 合约 合約 请 請 您 您的 你 你的 我 我的 我们 我們 我们的 他 本人 本 此 该 該 这 這 这个 這個 那 的 了 是 为 為 以 以便 用 用于 用於 使用 与 與 和 及 或 在 于 於 对 對 由 从 從 到 将 將 会 會 可以 需要 必须 必須 仅 僅 只 只是 也 都 并 並 且 但 如果 通过 通過 进行 進行 完成 开始 開始 继续 繼續 确认 確認 证明 證明 验证 驗證 核实 核實 声明 聲明 同意 接受 理解 知悉 要求 请求 請求
签名 簽名 签署 簽署 签 簽 消息 訊息 信息 資訊 文本 内容 內容 钱包 錢包 地址 以太坊 区块链 區塊鏈 链 鏈 网络 網路 网站 網站 平台 服务 服務 应用 應用 页面 頁面 用户 用戶 客户 客戶 个人 個人 企业 企業 公司 账户 帳戶 账号 流程 步骤 步驟 操作 目的 用途 原因 结果 結果 随机数 隨機數 随机 隨機 一次性 唯一 挑战 挑戰 编号 編號 号码 號碼 参考 參考 代码 代碼 签发 簽發 发布 時間 时间 有效期 有效 至 过期 過期 到期 分钟 分鐘 小时 小時 秒 天 日 月 年 日期 版本 域名 类型 類型 名称 名稱 邮箱 郵箱 电子邮件 電子郵件 注册 註冊 关联 關聯 绑定 綁定 资料 資料 数据 數據 免费 免費 费用 費用 手续费 手續費 燃料费 产生 產生 消耗 安全 防止 欺诈 欺詐 洗钱 洗錢 反 恐怖 法律 法规 法規 规定 規定 政策 隐私 隱私 条款 條款 以下 以上 如下 阅读 閱讀 仔细 正确 正確 真实 真實 等级 等級 文件 护照 护照 状态 狀態 会话 點擊 点击 打开 打開 欢迎 歡迎 您好 你好 谢谢 謝謝 链上 鏈上 链下 鏈下 过程 上 下 中 内 內 次 个 個 时 時 向 给 給 后 後 前 已 所 即 表示 表明 作为 作為 任何 所有 一个 一 属于 屬於 并且 並且`,
  own: '拥有 擁有 所有者 所有权 所有權 持有 持有人 控制 控制权 控制權 归属 歸屬 属于我 主人',
  kyc: 'kyc kyb 身份 身份验证 身份驗證 身份认证 身份認證 认证 認證 实名 實名 核验 核驗 合规 合規',
  act: '转账 轉帳 轉賬 转移 轉移 发送 發送 支付 扣款 提现 提現 授权 授權 权限 權限 许可 許可 批准 访问 訪問 购买 購買 出售',
  grant: '允许 允許',
  not: '不 不会 不會 不是 无 無 无需 無需 没有 沒有 未 绝不 不需要 不产生 不產生',
  login: '登录 登入 登陆 连接 連接',
};

/** Japanese. */
export const japanese: Words = {
  plain: `取引 トランザクション 資金 資産 トークン 残高 支払い 支払 実行 契約 は が を に の と で も へ や か から まで より など ため ために として による により について において ので この その これ それ こと もの です ます ません でした ました します しました する した して し され される された さ れ ください 下さい いたします お ご 御 ある あり あります いる い います なる なり なります および 及び または 又は 次 下記 以下 上記 私 私は 私の あなた あなたの 弊社 当社 本 本人 利用者 ユーザー ユーザ お客様 個人 法人 会社 アカウント
署名 メッセージ 文章 テキスト 内容 ウォレット アドレス イーサリアム ブロックチェーン チェーン ネットワーク サイト サービス プラットフォーム アプリ ページ 画面 証明 証明書 確認 検証 認証 宣言 同意 承諾 理解 要求 依頼 手続き 手続 開始 完了 続行 続ける 目的 用途 理由 結果 ノンス ナンス 乱数 ランダム 一度 一回 限り のみ だけ チャレンジ 番号 参照 コード 発行 日時 日付 時刻 時間 有効 期限 有効期限 分 秒 日 月 年 間 バージョン ドメイン 種類 名前 メール メールアドレス 登録 関連付け 連携 情報 データ 無料 手数料 費用 ガス ガス代 発生 かかり かかる 安全 保護 防止 不正 詐欺 資金洗浄 マネーロンダリング 対策 法律 規則 規約 利用規約 プライバシー ポリシー 条件 注意 読み 正確 真実 レベル 書類 パスポート 状態 セッション クリック ようこそ こんにちは ありがとう 必要 使用 利用 目的 使われ 行い 行う 行われ 求め オフチェーン オンチェーン 外 内 上 中 手順 申請 審査`,
  own: '所有 所有者 所有権 保有 保有者 管理 持ち主 所持',
  kyc: 'kyc kyb 本人確認 身元 身元確認 身分 身分証明',
  act: '送金 送信 転送 移動 引き出し 入金 許可 権限 承認 アクセス 購入 売却',
  grant: '与え 許可し 承認し',
  not: 'ません ない なく なし 不要 無し',
  login: 'ログイン 接続 サインイン',
};

/** Korean. */
export const korean: Words = {
  plain: `거래* 트랜잭션* 자금* 자산* 토큰* 잔액* 결제* 실행* 계약* 이* 그* 본* 저* 제* 나* 내* 당신* 귀하* 고객* 사용자* 이용자* 회원* 개인* 법인* 회사* 계정* 메시지* 메세지* 서명* 지갑* 주소* 이더리움* 블록체인* 체인* 네트워크* 사이트* 서비스* 플랫폼* 앱* 페이지* 증명* 확인* 검증* 인증* 선언* 동의* 이해* 요청* 절차* 과정* 단계* 시작* 완료* 계속* 목적* 용도* 사유* 결과* 논스* 난수* 일회용* 챌린지* 번호* 참조* 코드* 발급* 발행* 일시* 날짜* 시간* 시각* 유효* 만료* 기간* 분* 초* 일* 월* 년* 버전* 도메인* 종류* 이름* 이메일* 등록* 연결된* 연동* 정보* 자료* 무료* 수수료* 비용* 가스* 발생* 안전* 보호* 방지* 사기* 자금세탁* 법* 규정* 정책* 약관* 조건* 다음* 아래* 위* 주의* 정확* 사실* 등급* 서류* 여권* 상태* 세션* 클릭* 환영* 안녕* 감사* 필요* 사용* 이용* 위한 위해 위하여 대한 대해 및 또는 그리고 을 를 은 는 이 가 의 에 로 와 과 수 것* 해* 하* 합니다 됩니다 있* 입니다 주세요 바랍니다 통해 따라 오직 만 오프체인* 온체인*`,
  own: '소유* 보유* 소유권* 소유자* 통제* 관리*',
  kyc: 'kyc kyb 신원* 본인확인* 본인인증* 실명*',
  act: '송금* 전송* 이체* 이동* 지불* 출금* 입금* 권한* 허가* 허용* 승인* 접근* 구매* 판매*',
  grant: '허용합니다 승인합니다 부여합니다',
  not: '않* 아니* 없* 안 못 아닙니다 않습니다 없습니다',
  login: '로그인* 접속* 연결*',
};

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

/** Russian. */
export const russian: Words = {
  plain: `цифров* указанн* игнорир* проигнорир* противном случае хочу хотите намерен* получ* банк* лимит* вопрос* единственн* законн* провед* провест* влечет являюсь является началь* просьб* настоящ*
транзакц* средств* актив* токен* баланс* монет* крипто* депозит* выполн* контракт* nft* usdt usdc измен*
и в во на с со к ко по о об от до из за для при под над через перед между а но или если что чтобы кто какои как где когда потому также только лишь еще уже сеичас сегодня я мне меня мои моя мое моего моеи моим мы нам нас наш* вы вам вас ваш* ты тебе твои* он она оно они их его ее себя это этот эта эти этого этои этим этому данн* тот та те того том быть есть был* будет является являюсь являетесь имеет имею может можно должен должн* нужно надо пожалуиста просим прошу прос* здравствуите привет добро пожаловать спасибо уважаем* пользовател* клиент* человек* лицо лица юридическ* физическ* компани* счет* аккаунт*
сообщени* текст* подпис* подпиш* кошел* адрес* ethereum evm блокчеин* цеп* сет* mainnet testnet докаж* доказ* подтверд* подтвержд* провер* свидетельств* заявля* заявлен* признаю соглас* соглаша* принима* понима* запрос* запрашив* сервис* услуг* платформ* саит* портал* страниц* приложени* поддержк* провайдер* процесс* процедур* шаг* начал* начать заверш* продолж* цел* причин* результат* нонс* вызов* идентификатор* id номер* ссылк* код* выдан* выпущен* создано истека* истече* деиствител* деиств* срок* минут* час* секунд* день дня днеи недел* месяц* год* дата даты датои врем* верси* uri url домен* хост* тип* имя имени email e mail почт* связ* привяз* зарегистр* регистрац* профил* данные данных информац* требу* требован* необходим* использ* одноразов* уникальн* случаин* бесплатн* стоит стоимост* комисси* газ* плата офлаин вне операци* безопасн* защит* предотвращ* мошеннич* отмыван* денег терроризм* политик* конфиденциальн* услови* следующ* ниже выше прочит* внимательн* верн* правд* достоверн* закон* правил* уровень уровн* документ* паспорт* статус* сесси* нажм* откро* устроиств* браузер* января февраля марта апреля мая июня июля августа сентября октября ноября декабря тот же другои друг* все всех кажд* рамках помощ*`,
  own: 'владел* владен* владе* принадлеж* собственн* контролир* контрол* обладате*',
  kyc: 'kyc kyb aml личност* идентифик* верификац* соответстви*',
  act: 'перевод* перевест* перевед* отправ* трат* потрат* списа* вывод* вывест* плат* оплат* разреш* позвол* доступ* прав* одобр* предостав* дает дать поку* продаж* прода* перемещ*',
  grant: 'авториз* разрешает позволяет одобряет предоставляет дает авторизует переводит отправляет разрешаю позволяю',
  not: 'не нет ни без никак* ничего никогда никто никаких',
  login: 'логин воити вход* входа воидите подключ*',
};

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
