// The experiments of D06: the list.
#include "d06.hpp"

namespace palp::reproduce {

std::vector<Experiment> d06_experiments() {
  return {
      {"D06.1", "D06 §5.2, figure 7", "Pyramids against the exact friction cone: precision", "d06-table.yaml",
       "The forces of a k-sided pyramid approach those of the exact cone as k grows; 16 sides bring them "
       "within "
       "5 %. Four-legged table on a floor, μ = 0.1, 30 random motions.",
       "γ below 5 % needs 16 sides.", pyramid_gap},
      {"D06.2", "D06 §5.2, figure 8", "Pyramids against the exact friction cone: time", "d06-table.yaml",
       "The Gauss-Seidel solver on the exact cone is much faster than Lemke's on 8-sided pyramids, the more "
       "so "
       "the more contacts. 50 random motions and friction coefficients.",
       "Two curves of MATLAB times that part as the contacts grow; a tendency, no numbers.", pyramid_time},
      {"D06.3", "D06 §5.3, figures 9 to 11", "The Delassus operator of a table", "d06-table.yaml",
       "Contacts on one leg form a block; legs are hardly coupled. Bars between the legs raise the coupling "
       "along "
       "them and lower the tangential compliance.",
       "Pictures of W with four blocks; with bars, coupling between the legs grows along the bars.",
       delassus_of_the_table},
      {"D06.4", "D06 §5.2, figure 6", "Friction and the spread of a table's legs", "d06-table.yaml",
       "The same table under the same load stands differently: the less friction, the wider the legs spread.",
       "Pictures of the table for several friction coefficients.", leg_spread},
      {"D06.5", "D06 §6.3, figure 13", "A stiff block: rigid or corotational, contacts shuffled",
       "d06-block.yaml",
       "A rigid block and a stiff corotational one both lie still. The rigid one's forces depend on the "
       "order in "
       "which the contacts are treated, the corotational one's are unique.",
       "A picture of both force patterns; same behaviour, one solution with the corotational body.",
       shuffled_contacts},
      {"D06.6", "D06 §6.1 and 6.2", "Stability of stiff and light bodies at large steps", "d06-stiff.yaml",
       "With the global corotational body a stiff body keeps its true mass at any step: haptic coupling "
       "stays "
       "stable.",
       "Stable haptic feedback with an arbitrary step; 15 g and E = 700 MPa at 3 ms.", stiff_and_light},
      {"D06.7", "D06 §7.2, figure 14", "Snap-in and snap-out of a clip on a rigid pipe", "d06-clip.yaml",
       "The force curve shows a push, an unstable equilibrium and a snap; pulling off takes more force the "
       "higher "
       "the friction, and ends in an abrupt release. E = 700 MPa, ν = 0.35, 15 g, h = 3 ms, held through a "
       "6-DoF "
       "coupling.",
       "Three phases in words; the withdrawal is resisted by friction and ends abruptly.", snap_in},
      {"D06.8", "D06 §7.2, figures 15 and 16", "Snap-in on a deformable pipe, and on a pipe in a second hand",
       "d06-clip.yaml",
       "On a deformable pipe the same phases are felt, softer; a second hand that holds the pipe feels the "
       "equal "
       "and opposite wrench.",
       "Snapshots of clip and deformable pipes; a set-up with two devices.", soft_pipes},
      {"D06.9", "D06 §7.3, figures 17 and 18", "Step times of the snap-in", "d06-clip.yaml",
       "30 frictionless contacts are computed in about 3 ms, 20 frictional ones in about 4 ms, with little "
       "variation.",
       "3 ms with 30 contacts and no friction, 4 ms with 20 contacts and μ = 0.2 or 0.8.", step_times},
  };
}

}  // namespace palp::reproduce
