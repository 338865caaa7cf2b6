#include "gec/learner/learner_language.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace craft {

namespace {

// SCOWL's classes beyond this one hold words that hardly anybody knows ("teached").
constexpr double kLargestClass = .8;

// Nouns that stand without an article in one of their meanings, by letter.
constexpr std::string_view kMassNouns =
    " abuse access action activity adventure advice age agreement aid air alcohol ambition anger appetite art ash "
    "atmosphere attention "
    "authority bacon bail bark baggage balance bamboo beauty beef beer behaviour belief blame blood bone brandy brass bread "
    "breakfast "
    "breath brick bronze business butter cake calm camp candy capital cancer care cash cause chalk chance change charcoal "
    "cheese "
    "chicken chocolate church cider class clay cloth clothing coal coffee cold college colour comfort communication company "
    "competition concrete conflict confidence control conversation copper corn cotton courage court cover cream credit "
    "crime "
    "culture curiosity custom damage dance danger darkness data dawn day daylight death debate debt defence delay delight "
    "demand depth design desire despair detail dew diet dinner dirt disease dishonour display distance doubt dough drama "
    "drink "
    "dust duty earth ease east education effect effort electricity emotion employment energy entertainment enthusiasm "
    "equipment error evening evidence evil exercise experience explanation exposure fabric failure faith fame family fat "
    "fault "
    "favour fear feeling fiction field film fire fish flame flesh flight flour fog food force form fortune freedom fresh "
    "friendship fruit fuel fun fur furniture future gas glass glory glue gold gossip government grace grain grass gravity "
    "grief ground growth guilt hair harm harvest haste hatred health heat heaven help history holiday home homework honey "
    "honour hope hospital humour hunger ice imagination industry information injury ink innovation insurance interest "
    "investment iron jail jam jazz jelly joy juice justice kindness knowledge labour lace land language laughter law lead "
    "learning leather leave leisure length liberty life light lime linen literature logic love luck luggage lunch luxury "
    "machinery magic mail maintenance management marble marriage material mathematics meal meat medicine memory mercy metal "
    "milk mist money moonlight morning motion mud murder music mystery nature need news night noise noon north nothing "
    "number office oil opera opinion opposition order oxygen pain paint paper parliament part passion past patience peace "
    "pepper performance permission philosophy pity place plastic play pleasure poetry poison policy politics pollution "
    "porridge port poverty power practice praise prayer preparation press pressure pride prison privacy production profit "
    "progress proof property protection public publicity punishment purpose quality quantity rain reading reality reason "
    "recognition reform regret relief religion rent repair research resistance respect responsibility rest revenge rice "
    "risk "
    "rock room rope rubber rubbish rule rumour rust sadness safety sail salt sand satisfaction scale school science sea "
    "security sense service sewing shade shadow shame shape shelter shipping shopping sight silence silk silver skill skin "
    "sleep smoke snow soap society software soil song sorrow sound soup south space speech speed spirit sport spring stage "
    "starch status steam steel stock stone straw strength stress stuff style success sugar summer sun sunlight supper "
    "supply "
    "support surgery surprise sympathy talent talk tape taste tax tea technology television tension territory theatre "
    "theory "
    "thought thread thunder tide timber time tin tobacco town trade tradition traffic training transport travel treasure "
    "treatment trouble trust truth turf turn university use value vegetation velvet victory view violence vision voice war "
    "warmth warning waste water wax weakness wealth weather weight west wheat whisky wildlife wind wine winter wire wisdom "
    "wit wonder wood wool work worth writing yarn yoga youth ";

// Of abstract nouns, most of which go without an article.
constexpr std::array<std::string_view, 11> kAbstractEndings = {"ness", "ity",  "ism",  "ship", "hood", "ance",
                                                               "ence", "ment", "tion", "sion", "ing"};

// Of these endings, yet counted.
constexpr std::string_view kCountNouns =
    " station question position nation solution city building meeting ring king thing ship fence sentence document "
    "apartment "
    "instrument appointment experiment monument ambulance statement department decision version mission pension mansion "
    "audience licence entrance ceiling painting drawing wedding string engagement invitation destination reputation "
    "conclusion condition election collection section exception university celebrity ";

}  // namespace

std::string LearnerLanguage::form(std::string_view lemma, std::string_view tag) const {
    const std::vector<std::string> forms = dictionary_.inflections().forms(lemma, tag);
    return forms.empty() ? "" : forms.front();
}

bool LearnerLanguage::is_word(const std::string& word) const {
    const std::string lower = lowercase(word);
    return words_.knows(word) || words_.knows(lower) || dictionary_.by_size().of(lower) <= kLargestClass;
}

bool LearnerLanguage::may_be_mass(std::string_view noun) const {
    if (!dictionary_.inflections().knows(noun, WordKind::noun)) return true;
    const std::string padded = " " + std::string(noun) + " ";
    if (kCountNouns.find(padded) != std::string_view::npos) return false;
    if (std::any_of(kAbstractEndings.begin(), kAbstractEndings.end(),
                    [&](std::string_view ending) { return noun.size() > ending.size() + 1 && noun.ends_with(ending); }))
        return true;
    return kMassNouns.find(padded) != std::string_view::npos;
}

}  // namespace craft
